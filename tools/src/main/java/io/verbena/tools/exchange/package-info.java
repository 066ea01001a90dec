/// `verbena exchange`: two programs put something into each other's memory, or take it from there.
///
/// Both sides do the same, after the client has connected and told in its private data what is to be done
/// ([ExchangeTerms]):
///
/// | step | what | verbs |
/// |---|---|---|
/// | 1 | two buffers: the outbox with the own text, the inbox for the peer's; the peer may touch only one of them |
/// `ibv_reg_mr` |
/// | 2 | a receive for each message of the peer's, before the connection is there | `ibv_post_recv` |
/// | 3 | tell where that buffer is and which key opens it, and learn the same of the peer ([ExchangeMessage]) | SEND |
/// | 4 | mode write: own outbox into the peer's inbox; mode read: the peer's outbox into the own inbox | RDMA WRITE or
/// READ |
/// | 5 | say DONE, behind a fence, and wait for the peer's DONE: only then nobody touches the buffers any more | SEND |
/// | 6 | the client disconnects | `rdma_disconnect` |
///
/// This is the read/write example that many tutorials have. The C programs send the whole `struct ibv_mr`, which only
/// machines and libraries of one kind understand; here it is address, length and key, big-endian.
///
/// Start reading at [ExchangeSide].
package io.verbena.tools.exchange;
