package io.verbena.verbs;

import java.time.Duration;

/// Waits on several channels at once, as `poll(2)` does on their descriptors.
///
/// ```java
/// try (Poller poller = Poller.of(completions, connections)) {
///     while (poller.await(Duration.ofSeconds(1)) > 0) {
///         if (completions.isReady()) { ... }
///         if (connections.isReady()) { ... }
///     }
/// }
/// ```
public interface Poller extends AutoCloseable {
    /// A poller over channels of one provider.
    static Poller of(Pollable first, Pollable... more) {
        Poller poller = first.newPoller();
        poller.add(first);
        for (Pollable pollable : more) {
            poller.add(pollable);
        }
        return poller;
    }

    Poller add(Pollable pollable);

    Poller remove(Pollable pollable);

    /// Waits until at least one channel is ready; returns how many are, 0 when the time is over. Throws an
    /// [RdmaException] with EBADF when the poller is closed meanwhile, with EINTR when the thread is interrupted.
    int await(Duration timeout);

    @Override
    void close();
}
