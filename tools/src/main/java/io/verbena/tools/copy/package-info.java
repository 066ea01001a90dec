/// `verbena copy`: the memory of one process, copied into that of another by RDMA WRITE, and read back by RDMA READ.
///
/// The protocol is that of the programs `rdma_client` and `rdma_server` of rdma-example:
///
/// | step | client | server |
/// |---|---|---|
/// | 1 | makes its queue pair, posts a receive, connects | makes its queue pair, posts a receive, accepts |
/// | 2 | SENDs the attributes of its buffer | learns how much is to come, registers as much memory |
/// | 3 | learns where to write to | SENDs the attributes of that memory |
/// | 4 | RDMA WRITE, then RDMA READ into another buffer, compares | notices nothing: that is RDMA |
/// | 5 | disconnects | sees the disconnect, looks at what is in its memory |
///
/// Start reading at [CopyClient] and [CopyServing]; what both have, from completion channel to queue pair, is in
/// [CopyConnection].
package io.verbena.tools.copy;
