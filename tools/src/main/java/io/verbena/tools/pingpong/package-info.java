/// `pingpong`, the programs of rdma-core that connect queue pairs by hand: messages there and back on a reliable (`rc`)
/// or unreliable connection (`uc`), with datagrams (`ud`), or on many connections with a shared receive queue (`srq`).
///
/// To learn from it, read in this order:
///
/// 1. [Destination]: what a side must know of the other before packets can flow
/// 2. [AddressExchange]: how they exchange it
/// 3. [io.verbena.tools.program.QueuePairSteps]: the states that a queue pair goes through, RESET to RTS
/// 4. [PingPongEndpoint]: all objects of a side: memory, queues, queue pairs
/// 5. [PingPongLoop]: post, poll, and post again
package io.verbena.tools.pingpong;
