package io.verbena.soft.cq;

/// A role of a connection over the local path, from which the completion queue takes completions directly.
public interface CompletionProducer {
    /// Runs the role until it produces a completion, and puts that into the view. False when there is none, or another
    /// thread holds the role's lock. Unless `direct`, the completion is added to the queue under that lock, so that no
    /// poller overtakes it.
    ///
    /// @param direct whether a poller takes the completion from the view; then the result is also false while others
    ///     are in the queue
    boolean next(CompletionView view, SoftCompletionQueue queue, boolean direct);

    /// Whether [#next] would find something to do. From any thread.
    boolean hasNext();

    /// Whether no thread may fall asleep: [#next] would find something to do, or an executed entry is not acknowledged
    /// yet. From any thread.
    default boolean isBusy() {
        return hasNext();
    }

    /// Acknowledges executed entries.
    default void publishExecuted() {}

    // ---- for a role that costs something to look at, so that it may be left out while its peer says nothing ----

    /// Asks the peer to increment the news of the queue, unless an entry arrived since the last call. Returns whether
    /// it asked. The rare side of a fence must follow, then [#fallQuiet].
    default boolean askForNews() {
        return false;
    }

    /// Whether pollers may skip this role until there are news. False when an entry arrived before the peer saw the
    /// request.
    default boolean fallQuiet() {
        return false;
    }

    /// Pollers poll this role each time again.
    default void resumePolling() {}
}
