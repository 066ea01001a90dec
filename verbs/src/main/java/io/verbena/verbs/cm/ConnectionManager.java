package io.verbena.verbs.cm;

/// Makes event channels and connection ids. Counterpart of librdmacm.
///
/// A synchronous client, smallest form:
///
/// ```java
/// try (ConnectionId id = cm.createSynchronousId(PortSpace.TCP)) {
///     id.resolveAddress(null, new InetSocketAddress("127.0.0.1", 7471), Duration.ofSeconds(2));
///     id.resolveRoute(Duration.ofSeconds(2));
///     id.createQueuePair(pd, QueuePairOptions.rc(cq));
///     id.connect(ConnectionParameters.DEFAULT);
/// }
/// ```
public interface ConnectionManager {
    /// Counterpart of `rdma_create_event_channel`.
    EventChannel createEventChannel();

    /// An id whose events arrive on `channel`; its calls return at once. Counterpart of `rdma_create_id`.
    ConnectionId createId(EventChannel channel, PortSpace space);

    /// An id without a channel: its calls wait for their outcome and throw when it is not the wanted one.
    /// Counterpart of `rdma_create_id` with a null channel.
    ConnectionId createSynchronousId(PortSpace space);
}
