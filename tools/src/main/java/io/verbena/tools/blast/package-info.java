/// `verbena blast`: as many messages as possible, one way.
///
/// The lessons are those of blast-sr-2 of the OFA course, whose protocol it speaks:
///
/// - **Private data**: the client tells how many messages of which size it sends, and into how many buffers
///   ([BlastParameters]). The server posts a receive for each buffer before it accepts.
/// - **Credits**: a message that finds no receive is trouble. So the client counts the receives that the server has
///   posted, and stops sending at zero. The server posts receives again, *then* tells how many, in an acknowledgement
///   ([Acknowledgement]). To save messages it does so only when a third of the buffers is due.
/// - **Chains**: what can be posted is posted in one call ([Chain]): one call of the driver, one doorbell.
/// - **Several buffers**: while some messages travel, others are filled, received or acknowledged.
///
/// Start reading at [BlastClient] and [BlastServing].
package io.verbena.tools.blast;
