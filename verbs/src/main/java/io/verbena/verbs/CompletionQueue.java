package io.verbena.verbs;

import java.time.Duration;
import java.util.Objects;

/// Where finished work requests are reported. Counterpart of `struct ibv_cq`.
///
/// ```java
/// int n = cq.poll(onCompletion, 16);   // allocates nothing
/// ```
public interface CompletionQueue extends AutoCloseable {
    /// The device it was made from.
    Context context();

    /// The channel its events go to, or null.
    CompletionChannel channel();

    /// How many completions it can hold.
    int capacity();

    /// Hands up to `limit` completions to the handler and returns how many; fewer than `limit` means the queue was
    /// empty at that moment. Never waits. Safe from any thread; each completion goes to one thread. Counterpart of
    /// `ibv_poll_cq`; as there, a limit below 0 is EINVAL.
    int poll(WorkCompletionHandler handler, int limit);

    /// Spins until the handler got `count` completions or the time is over; returns how many it got. Spinning keeps a
    /// core busy: use a [CompletionChannel] for waits that may be long.
    default int poll(WorkCompletionHandler handler, int count, Duration timeout) {
        Objects.requireNonNull(timeout, "the timeout is null");
        int done = poll(handler, count);
        if (done >= count) {
            return done;
        }
        long start = System.nanoTime();
        long budgetNs = timeout.toNanos();
        int empty = 0;
        while (done < count && System.nanoTime() - start < budgetNs) {
            int n = poll(handler, count - done);
            if (n == 0) {
                Spin.pause(++empty);
            }
            done += n;
        }
        return done;
    }

    /// Arms the queue: one event when the next completion is added (not for those already there). With `solicitedOnly`
    /// only receives whose sender asked for it, and errors, raise the event. Counterpart of `ibv_req_notify_cq`.
    void arm(boolean solicitedOnly);

    /// Arms the queue: one event when the next completion is added, of whatever kind.
    default void arm() {
        arm(false);
    }

    /// Changes how many completions the queue can hold; those in it stay. Counterpart of `ibv_resize_cq`.
    default void resize(int entries) {
        throw new UnsupportedVerbException(context().device().name(), "ibv_resize_cq");
    }

    /// Closes the queue, with the completions in it; EBUSY while queue pairs use it. Counterpart of `ibv_destroy_cq`.
    @Override
    void close();
}
