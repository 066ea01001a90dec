package io.verbena.soft.local;

/// The lanes that report to one completion queue. The program that polls the queue takes from them; while nobody does,
/// the engine's owner does.
public interface LaneGroup {
    /// Whether a lane has something to take, as far as can be seen. From any thread.
    boolean hasNews();

    /// Looks at lanes again that were left out and have something now, whoever polls. By the engine's owner.
    void listenToNews();

    /// Moves what the lanes have into the completion queue. By the engine's owner.
    ///
    /// @param acknowledge whether peers shall hear at once what was executed
    int progress(boolean acknowledge);

    /// Lets peers hear what was executed, where the program polls too seldom to do it itself. By the engine's owner.
    void publishExecuted();

    /// Whether the program has polled the queue since this was asked last. By the engine's owner.
    boolean wasPolled();

    /// What [#wasPolled] said last. From any thread.
    boolean isPolled();

    /// Leaves lanes out that were quiet since the last call, if there are many. By the engine's owner.
    ///
    /// @return lanes to be confirmed by [#fallQuiet] after the rare side of a fence
    boolean askForNews();

    void fallQuiet();

    QueueSlot slot();
}
