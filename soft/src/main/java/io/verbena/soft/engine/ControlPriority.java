package io.verbena.soft.engine;

import io.verbena.soft.os.BiasedLock;
import io.verbena.soft.os.NanoClock;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/// Gives control calls priority over the next batch of packets. While packets keep arriving, the thread that receives
/// them takes the engine's lock again right after releasing it, so a waiting control call would starve. Therefore
/// drivers wake the waiting thread and leave the lock alone, for a short time only: a thread without a processor must
/// not hold up the others.
final class ControlPriority {
    static final long LONGEST_NS = 1_000_000;

    private final NanoClock clock;
    private final AtomicInteger waiting = new AtomicInteger();
    /// When a driver last released the lock while a control call waited.
    private volatile long freeSinceNs;

    /// The thread that began to wait last. Others find the engine free when their nap ends.
    private volatile Thread waiter;

    ControlPriority(NanoClock clock) {
        this.clock = clock;
        freeSinceNs = clock.nowNs() - LONGEST_NS;
    }

    /// Locks the engine for a control call. Returns whether the call had to wait.
    boolean lock(BiasedLock ownership) {
        if (ownership.tryLock()) {
            return false;
        }
        beginWait();
        try {
            ownership.lock();
        } finally {
            endWait();
        }
        return true;
    }

    void beginWait() {
        waiter = Thread.currentThread();
        waiting.incrementAndGet();
    }

    void endWait() {
        if (waiting.decrementAndGet() == 0) {
            waiter = null;
        }
    }

    /// A driver released the lock.
    void onDriven() {
        if (waiting.get() > 0) {
            freeSinceNs = clock.nowNs();
            LockSupport.unpark(waiter);
        }
    }

    /// Whether a driver must leave the lock to a waiting control call.
    boolean mustYield() {
        return waiting.get() > 0 && clock.nowNs() - freeSinceNs < LONGEST_NS;
    }
}
