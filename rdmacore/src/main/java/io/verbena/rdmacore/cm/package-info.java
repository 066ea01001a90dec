/// Connections, by way of librdmacm.
///
/// - All ids but listeners have their events on one channel of librdmacm, which one thread ([EventService]) reads: so
///   a connection is set up, and its end confirmed, whether the program looks at its own channel or not. Listeners
///   have theirs on a channel of librdmacm that the program itself reads: the kernel counts requests that nobody took.
/// - A program's [NativeEventChannel] is a queue with a lock, which all calls on its ids hold. No call under it waits.
/// - An event is copied and acknowledged at once; until then its id cannot be destroyed, so its object is looked up
///   before.
/// - Queue pairs are moved here and not by librdmacm, which therefore never holds the address of one.
package io.verbena.rdmacore.cm;
