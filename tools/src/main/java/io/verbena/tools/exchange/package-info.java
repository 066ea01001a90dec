/// `verbena exchange`: two programs WRITE into each other's memory, or READ from it.
///
/// Both sides do the same, after the client has connected and sent its [ExchangeTerms] as private data:
///
/// | step | what | verbs |
/// |---|---|---|
/// | 1 | two buffers: the outbox with the own text, the inbox for the peer's; the peer may access only one of them |
/// `ibv_reg_mr` |
/// | 2 | a receive for each message of the peer's, before the connection is there | `ibv_post_recv` |
/// | 3 | send the address and key of that buffer, and receive those of the peer's ([ExchangeMessage]) | SEND |
/// | 4 | mode write: own outbox into the peer's inbox; mode read: the peer's outbox into the own inbox | RDMA WRITE or
/// READ |
/// | 5 | send DONE, fenced, and wait for the peer's DONE: after that no side accesses the buffers any more | SEND |
/// | 6 | the client disconnects | `rdma_disconnect` |
///
/// This is the read/write example of many tutorials. The C programs send the whole `struct ibv_mr`, which only the same
/// kind of machine and library understands. Here it is address, length and key, big-endian.
///
/// Start reading at [ExchangeSide].
package io.verbena.tools.exchange;
