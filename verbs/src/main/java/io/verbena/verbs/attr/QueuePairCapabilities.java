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
}
