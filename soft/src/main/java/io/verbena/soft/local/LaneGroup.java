package io.verbena.soft.local;

/// The lanes that report to one completion queue. The program takes entries from them when it polls the queue. While no
/// program polls, the engine's owner does.
public interface LaneGroup {
    /// Whether a lane seems to have an entry, or one that is executed and not acknowledged: another thread may poll,
    /// and not come back. From any thread.
    boolean hasNews();

    /// Polls quiet lanes again that have news. By the engine's owner.
    void resumePolling();

    /// Executes the entries of the lanes and adds their completions to the completion queue. By the engine's owner.
    ///
    /// @param acknowledge whether executed entries are acknowledged at once
    int progress(boolean acknowledge);

    /// Acknowledges executed entries where the program polls too seldom to do so. By the engine's owner.
    void publishExecuted();

    /// Whether the program has polled the queue since the last call. By the engine's owner.
    boolean wasPolled();

    /// The last result of [#wasPolled]. From any thread.
    boolean isPolled();

    /// Asks the peers of lanes without an entry since the last call to increment the news, if there are many lanes. By
    /// the engine's owner.
    ///
    /// @return whether a peer was asked: then [#fallQuiet] must follow, after the rare side of a fence
    boolean askForNews();

    void fallQuiet();

    QueueSlot slot();
}
