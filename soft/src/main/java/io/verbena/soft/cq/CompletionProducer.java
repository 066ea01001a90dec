package io.verbena.soft.cq;

/// A role of a connection over the local path, from which the completion queue takes completions directly.
public interface CompletionProducer {
    /// Runs the role until it has filled `limit` views with completions, or there are no more. Returns how many it
    /// filled: none while another thread holds the role's lock, or while completions are in the queue, which come
    /// first. For the poller, which takes the completions from the views.
    int take(CompletionView[] views, int limit, SoftCompletionQueue queue);

    /// Runs the role until it produces a completion, and adds that to the queue under the role's lock, so that no
    /// poller overtakes it. False when there is none, or another thread holds the role's lock. For the engine's owner.
    boolean queueNext(CompletionView view, SoftCompletionQueue queue);

    /// Whether the role would find something to do. From any thread.
    boolean hasNext();

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
