/// `verbena copy`: the memory of one process, copied into that of another by RDMA WRITE, and read back by RDMA READ.
///
/// The protocol is that of the programs `rdma_client` and `rdma_server` of rdma-example:
///
/// | step | client | server |
/// |---|---|---|
/// | 1 | makes its queue pair, posts a receive, connects | makes its queue pair, posts a receive, accepts |
/// | 2 | SENDs the attributes of its buffer | learns the length, registers as much memory |
/// | 3 | learns where to write to | SENDs the attributes of that memory |
/// | 4 | RDMA WRITE, then RDMA READ into another buffer, compares | is not involved: that is RDMA |
/// | 5 | disconnects | gets the DISCONNECTED event, prints the content of its memory |
///
/// Start reading at [CopyClient] and [CopyService]. What both share, from completion channel to queue pair, is in
/// [CopyConnection].
package io.verbena.tools.copy;
