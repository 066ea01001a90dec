package io.verbena.rdmacore;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;

/// The lock of a queue that threads use in a tight loop, and that one of them, or another, wants to close: who closes
/// is let in before all who come later. A plain lock would let the loops pass it by for a long time, on virtual
/// threads for ever.
public final class QueueLock {
    private static final long LOOK_AGAIN_NS = 20_000;

    private final ReentrantLock lock = new ReentrantLock();
    private final AtomicInteger closing = new AtomicInteger();

    public QueueLock() {}

    public void lock() {
        if (closing.get() != 0) {
            letClose();
        }
        lock.lock();
    }

    /// Who is inside already, as a completion handler is, must not wait for who wants to get in.
    private void letClose() {
        boolean interrupted = false;
        while (closing.get() != 0 && !lock.isHeldByCurrentThread()) {
            LockSupport.parkNanos(LOOK_AGAIN_NS);
            interrupted |= Thread.interrupted(); // else no later park would wait
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    public void unlock() {
        lock.unlock();
    }

    /// Runs `end` while nobody else is inside.
    public void close(Runnable end) {
        closing.incrementAndGet();
        lock.lock();
        try {
            end.run();
        } finally {
            closing.decrementAndGet();
            lock.unlock();
        }
    }
}
