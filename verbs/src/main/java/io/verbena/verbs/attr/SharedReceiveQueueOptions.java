package io.verbena.verbs.attr;

/// Sizes of a shared receive queue; [#limit] arms one SRQ_LIMIT_REACHED event (0 = none). Counterpart of `struct
/// ibv_srq_attr`.
public record SharedReceiveQueueOptions(int maxRequests, int maxScatterGather, int limit) {
    /// Room for so many receives of up to 4 slices each, and no limit.
    public static SharedReceiveQueueOptions of(int maxRequests) {
        return new SharedReceiveQueueOptions(maxRequests, 4, 0);
    }

    /// The same with room for so many slices in a receive.
    public SharedReceiveQueueOptions withScatterGather(int count) {
        return new SharedReceiveQueueOptions(maxRequests, count, limit);
    }

    /// The same with another limit.
    public SharedReceiveQueueOptions withLimit(int limit) {
        return new SharedReceiveQueueOptions(maxRequests, maxScatterGather, limit);
    }
}
