package io.verbena.verbs;

import java.time.Duration;
import java.util.Objects;

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
        Poller poller =
                Objects.requireNonNull(first, "the first channel is null").newPoller();
        poller.add(first);
        for (Pollable pollable : Objects.requireNonNull(more, "the list of channels is null")) {
            poller.add(pollable);
        }
        return poller;
    }

    /// Adds a channel to those that are waited for.
    Poller add(Pollable pollable);

    /// Takes a channel out again.
    Poller remove(Pollable pollable);

    /// Waits until at least one channel is ready; returns how many are, 0 when the time is over. Throws an
    /// [RdmaException] with EBADF when the poller is closed meanwhile, with EINTR when the thread is interrupted.
    int await(Duration timeout);

    @Override
    void close();
}
