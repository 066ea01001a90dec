package io.verbena.soft.engine;

import io.verbena.soft.os.BiasedLock;
import io.verbena.soft.os.NanoClock;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/// Gives control calls priority over the next batch of packets. While packets keep arriving, the thread that receives
/// them takes the engine's lock again right after releasing it, so a waiting control call would starve. Therefore
/// drivers wake the waiting thread and leave the lock alone, for a short time only: a thread without a processor must
/// not hold up the others.
///
/// A cycle takes a microsecond or two, and waking a thread takes twenty times as long. So a control call first watches
/// the lock for about that long, without touching it, and sleeps only if the lock does not become free.
final class ControlPriority {
    static final long LONGEST_NS = 1_000_000;

    /// How often a control call looks at the lock before it sleeps. None on a single processor, which the owner needs.
    private static final int SPINS = Runtime.getRuntime().availableProcessors() == 1 ? 0 : 500;

    private final NanoClock clock;
    private final AtomicInteger waiting = new AtomicInteger();
    /// When a driver last released the lock while a control call waited.
    private volatile long freeSinceNs;

    /// The thread that began to sleep last. Others find the engine free when their nap ends.
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
            if (!tryLockSoon(ownership)) {
                waiter = Thread.currentThread();
                ownership.lock();
            }
        } finally {
            endWait();
        }
        return true;
    }

    private static boolean tryLockSoon(BiasedLock ownership) {
        for (int i = 0; i < SPINS; i++) {
            if (!ownership.isHeld() && ownership.tryLock()) {
                return true;
            }
            Thread.onSpinWait();
        }
        return false;
    }

    void beginWait() {
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
