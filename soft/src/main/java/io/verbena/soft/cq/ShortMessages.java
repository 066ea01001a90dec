package io.verbena.soft.cq;

/// Where a completion queue's short messages come from without being packets first: one connection through shared
/// memory. Both calls are for the engine's owner.
public interface ShortMessages {
    /// Whether there is a message, or anything else that the engine must look at.
    boolean hasNews();

    /// Takes the next message and fills in its completion, which is the program's next one; false when it is not
    /// plain, and nothing was done.
    boolean take(CompletionView completion);
}
