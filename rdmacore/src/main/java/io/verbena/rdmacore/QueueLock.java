package io.verbena.rdmacore;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;

/// The lock of a queue that threads use in tight loops. A thread that closes the queue gets the lock before all threads
/// that come later. With a plain lock the loops could starve it for a long time, on virtual threads for ever.
public final class QueueLock {
    private static final long RECHECK_NS = 20_000;

    private final ReentrantLock lock = new ReentrantLock();
    private final AtomicInteger closing = new AtomicInteger();

    public QueueLock() {}

    public void lock() {
        if (closing.get() != 0) {
            waitForClosingThread();
        }
        lock.lock();
    }

    /// A thread that holds the lock, as in a completion handler, must not wait for a thread that closes.
    private void waitForClosingThread() {
        boolean interrupted = false;
        while (closing.get() != 0 && !lock.isHeldByCurrentThread()) {
            LockSupport.parkNanos(RECHECK_NS);
            interrupted |= Thread.interrupted(); // otherwise later parks would return at once
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
