package io.verbena.verbs;

import java.time.Duration;

/// Where finished work requests are reported. Counterpart of `struct ibv_cq`.
///
/// ```java
/// int n = cq.poll(onCompletion, 16);   // allocates nothing
/// ```
public interface CompletionQueue extends AutoCloseable {
    Context context();

    /// The channel its events go to, or null.
    CompletionChannel channel();

    int capacity();

    /// Hands up to `limit` completions to the handler and returns how many; fewer than `limit` means the queue was
    /// empty at that moment. Never waits. Safe from any thread; a completion goes to one of them. Counterpart of
    /// `ibv_poll_cq`.
    int poll(CompletionHandler handler, int limit);

    /// Spins until `count` completions were handed over or the time is over; returns how many. It keeps a core
    /// busy meanwhile: for waits that may be long there is [CompletionChannel].
    default int poll(CompletionHandler handler, int count, Duration timeout) {
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

    /// Asks for one event when the next completion is added (not for those already there); `solicitedOnly`: only
    /// for receives whose sender asked for it, and for errors. Counterpart of `ibv_req_notify_cq`.
    void arm(boolean solicitedOnly);

    default void arm() {
        arm(false);
    }

    /// Counterpart of `ibv_resize_cq`.
    default void resize(int entries) {
        throw new UnsupportedVerbException(context().device().name(), "ibv_resize_cq");
    }

    /// Counterpart of `ibv_destroy_cq`; EBUSY while queue pairs use it.
    @Override
    void close();
}
