package io.verbena.verbs.attr;

/// Sizes of a queue pair's queues. A device may give more than asked for, never less. Counterpart of `struct
/// ibv_qp_cap`.
public record QueuePairCapabilities(
        int maxSendRequests,
        int maxReceiveRequests,
        int maxSendScatterGather,
        int maxReceiveScatterGather,
        int maxInlineBytes) {

    public static final QueuePairCapabilities DEFAULT = new QueuePairCapabilities(128, 128, 4, 4, 64);

    /// The same with room for so many send requests.
    public QueuePairCapabilities withSendRequests(int count) {
        return new QueuePairCapabilities(
                count, maxReceiveRequests, maxSendScatterGather, maxReceiveScatterGather, maxInlineBytes);
    }

    /// The same with room for so many receives.
    public QueuePairCapabilities withReceiveRequests(int count) {
        return new QueuePairCapabilities(
                maxSendRequests, count, maxSendScatterGather, maxReceiveScatterGather, maxInlineBytes);
    }

    /// The same with room for so many slices in a send request and in a receive.
    public QueuePairCapabilities withScatterGather(int send, int receive) {
        return new QueuePairCapabilities(maxSendRequests, maxReceiveRequests, send, receive, maxInlineBytes);
    }

    /// The same with room for so many bytes in an inline request.
    public QueuePairCapabilities withInlineBytes(int bytes) {
        return new QueuePairCapabilities(
                maxSendRequests, maxReceiveRequests, maxSendScatterGather, maxReceiveScatterGather, bytes);
    }
}
