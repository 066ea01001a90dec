package io.verbena.verbs.cm;

import java.net.InetSocketAddress;
import java.time.Duration;

/// Makes event channels and connection ids. Counterpart of librdmacm.
///
/// A synchronous client, smallest form:
///
/// ```java
/// try (ConnectionId id = cm.createSynchronousId(PortSpace.TCP)) {
///     id.resolveAddress(null, new InetSocketAddress("127.0.0.1", 7471), Duration.ofSeconds(2));
///     id.resolveRoute(Duration.ofSeconds(2));
///     QueuePair qp = id.createQueuePair(QueuePairOptions.rc());
///     // post receives here, before connecting
///     id.connect(ConnectionParameters.DEFAULT);
///     // post and poll
///     id.disconnect();
/// }
/// ```
///
/// And its server:
///
/// ```java
/// try (ConnectionId listener = cm.createSynchronousId(PortSpace.TCP)) {
///     listener.bind(new InetSocketAddress("127.0.0.1", 7471));
///     listener.listen(0);
///     try (ConnectionId id = listener.awaitRequest(Duration.ofMinutes(1))) {
///         QueuePair qp = id.createQueuePair(QueuePairOptions.rc());
///         // post receives here, before accepting
///         id.accept(ConnectionParameters.DEFAULT);
///         // post and poll, until id.event().type() is DISCONNECTED
///     }
/// }
/// ```
///
/// Datagram services are found in the same way, with `PortSpace.UDP` and `QueuePairOptions.ud()` on both
/// sides. The server's `accept` tells the client where its queue pair is, and the client sends there:
///
/// ```java
/// id.connect(ConnectionParameters.DEFAULT);
/// DatagramPeer server = id.event().datagram();
/// AddressHandle handle = id.protectionDomain().createAddressHandle(server.address());
/// qp.post(qp.newSendRequest().send().from(mr, 0, 64).to(handle, server.qpNumber(), server.qkey()).signaled());
/// // the server's receive has 40 + 64 bytes; there is nothing to disconnect
/// ```
///
/// The queue pair and its completion queues are closed with the id. Completion queues of the program's own are closed
/// after the ids, whose queue pairs use them.
public interface ConnectionManager {
    /// Makes a channel for the events of asynchronous ids. Counterpart of `rdma_create_event_channel`.
    EventChannel createEventChannel();

    /// An id whose events arrive on `channel`; its calls return at once. Counterpart of `rdma_create_id`.
    ConnectionId createId(EventChannel channel, PortSpace space);

    /// An id without a channel: its calls wait for their outcome and throw when they fail. Counterpart of
    /// `rdma_create_id` with a null channel.
    ConnectionId createSynchronousId(PortSpace space);

    /// A synchronous id in one call. With a peer: its address and route are resolved, at most `timeout` each, so that
    /// [ConnectionId#createQueuePair] and [ConnectionId#connect] are next; `local` may be null. Without a peer: it is
    /// bound to `local`, and [ConnectionId#listen] is next. Nothing is left open when it fails. Counterpart of
    /// `rdma_create_ep`, whose `RAI_PASSIVE` is a peer of null.
    default ConnectionId createEndpoint(
            PortSpace space, InetSocketAddress local, InetSocketAddress peer, Duration timeout) {
        ConnectionId id = createSynchronousId(space);
        try {
            if (peer == null) {
                id.bind(local);
            } else {
                id.resolveAddress(local, peer, timeout);
                id.resolveRoute(timeout);
            }
            return id;
        } catch (RuntimeException e) {
            id.close();
            throw e;
        }
    }
}
