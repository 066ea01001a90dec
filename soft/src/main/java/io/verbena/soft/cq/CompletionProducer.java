package io.verbena.soft.cq;

/// One role of a connection over the local path: the completion queue takes completions from it directly.
public interface CompletionProducer {
    /// Carries on until that makes a completion, and puts it into the view; false when there is none now, or another
    /// thread is at it. The completion goes into the queue unless `direct`. That happens before the next one can be
    /// made, so that no poller overtakes what is about to be queued.
    ///
    /// @param direct whether a poller of the queue takes the completion at once; false also when others are queued
    boolean next(CompletionView view, SoftCompletionQueue queue, boolean direct);

    /// Whether [#next] would find something to do. From any thread.
    boolean hasNext();

    /// Tells the peer what was carried out.
    void publishExecuted();

    /// Asks the peer to count up the news of the queue, unless something came lately; whether it did ask. To be
    /// followed by the rare side of a fence, and [#fallQuiet].
    boolean askForNews();

    /// Whether nobody need look here until there are news; false when something came before the peer knew.
    boolean fallQuiet();

    /// It is looked at each time again.
    void listen();
}
