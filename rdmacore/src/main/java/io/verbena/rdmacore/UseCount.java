package io.verbena.rdmacore;

import java.util.concurrent.atomic.AtomicInteger;

/// Keeps an object that requests name from being destroyed while one of them is being posted. As [Lifetime], but
/// nothing is allocated and nobody waits, except for the end: posts are short.
public final class UseCount {
    private static final int ENDED = -1;

    private final AtomicInteger users = new AtomicInteger();

    /// False when the object has ended; else [#release] must follow.
    public boolean acquire() {
        int now = users.get();
        while (now != ENDED) {
            if (users.compareAndSet(now, now + 1)) {
                return true;
            }
            now = users.get();
        }
        return false;
    }

    public void release() {
        users.decrementAndGet();
    }

    /// Nobody gets in from now on; returns when nobody is inside.
    public void end() {
        while (!users.compareAndSet(0, ENDED) && users.get() != ENDED) {
            Thread.onSpinWait();
        }
    }

    /// The object could not be destroyed: it is there again.
    public void resume() {
        users.compareAndSet(ENDED, 0);
    }
}
