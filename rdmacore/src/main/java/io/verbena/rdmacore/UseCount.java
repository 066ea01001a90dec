package io.verbena.rdmacore;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/// Keeps an object from being destroyed while threads use it. As [Lifetime], but without allocation. Only the closing
/// thread waits; uses must be short.
public final class UseCount {
    /// A flag beside the number of users. Once set, no user gets in, so users that loop cannot delay closing.
    private static final int ENDED = 1 << 31;

    private static final long RECHECK_NS = 50_000;

    private final AtomicInteger users = new AtomicInteger();

    public UseCount() {}

    /// False when the object was closed; else [#release] must follow.
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

    /// Refuses new users, and returns when there are none.
    public void end() {
        refuse();
        awaitNoUsers();
    }

    /// Refuses new users. False when that was so before.
    public boolean refuse() {
        return users.getAndUpdate(n -> n | ENDED) >= 0;
    }

    /// After [#refuse]: returns when there are no users.
    public void awaitNoUsers() {
        boolean interrupted = false;
        while (users.get() != ENDED) {
            LockSupport.parkNanos(RECHECK_NS);
            interrupted |= Thread.interrupted(); // otherwise later parks would return at once
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /// Accepts users again, because the object could not be destroyed.
    public void resume() {
        users.compareAndSet(ENDED, 0);
    }
}
