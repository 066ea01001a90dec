/// `verbena blast`: as many messages as possible, in one direction.
///
/// The lessons are those of blast-sr-2 of the OFA course, whose protocol it speaks:
///
/// - **Private data**: the client sends the number and the size of its messages and the number of buffers
///   ([BlastParameters]). The server posts a receive for each buffer before it accepts.
/// - **Credits**: a message that finds no receive causes an RNR NAK. So the client counts the receives that the server
///   has posted, and stops sending at zero. The server posts receives again, *then* sends their number in an
///   acknowledgement ([Acknowledgement]). To save messages it does so only when a third of the buffers is due.
/// - **Chains**: all requests that can be posted are posted in one call ([Chain]): one call of the driver, one
///   doorbell.
/// - **Several buffers**: while some messages are in flight, others are filled, received or acknowledged.
///
/// Start reading at [BlastClient] and [BlastService].
package io.verbena.tools.blast;
