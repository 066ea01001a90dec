package io.verbena.rdmacore;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/// Keeps an object from being destroyed while somebody uses it. As [Lifetime], but nothing is allocated, and nobody
/// waits except for the end: uses are short, or are told to be.
public final class UseCount {
    /// Beside the number of users. From then on nobody gets in, so users that loop cannot keep the end waiting.
    private static final int ENDED = 1 << 31;

    private static final long LOOK_AGAIN_NS = 50_000;

    private final AtomicInteger users = new AtomicInteger();

    public UseCount() {}

    /// False when the object has ended; else [#release] must follow.
    public boolean acquire() {
        int now = users.get();
        while (now >= 0) {
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

    public boolean hasEnded() {
        return users.get() < 0;
    }

    /// Nobody gets in from now on; returns when nobody is inside.
    public void end() {
        refuse();
        awaitNobody();
    }

    /// Nobody gets in from now on. False when that was so before.
    public boolean refuse() {
        return users.getAndUpdate(n -> n | ENDED) >= 0;
    }

    /// After [#refuse]: returns when nobody is inside.
    public void awaitNobody() {
        boolean interrupted = false;
        while (users.get() != ENDED) {
            LockSupport.parkNanos(LOOK_AGAIN_NS);
            interrupted |= Thread.interrupted(); // else no later park would wait
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /// The object could not be destroyed: it is there again.
    public void resume() {
        users.compareAndSet(ENDED, 0);
    }
}
