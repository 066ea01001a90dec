package io.verbena.rdmacore;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.locks.LockSupport;

/// The reentrant lock of a queue that threads use in tight loops. A thread that closes the queue gets the lock before
/// all threads that come later. Otherwise the loops could starve it for a long time, on virtual threads for ever.
///
/// Taking it is one atomic instruction and releasing it is none, which is about a third of what a
/// [java.util.concurrent.locks.ReentrantLock] costs. In return, threads that find it held are not queued: they spin,
/// then nap.
public final class QueueLock {
    private static final VarHandle HOLDER;
    private static final VarHandle CLOSING;

    static {
        try {
            HOLDER = MethodHandles.lookup().findVarHandle(QueueLock.class, "holder", long.class);
            CLOSING = MethodHandles.lookup().findVarHandle(QueueLock.class, "closing", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private static final int SPINS = 200;
    private static final long SHORTEST_NAP_NS = 1_000;
    private static final long LONGEST_NAP_NS = 1_000_000;
    private static final long RECHECK_NS = 20_000;
    private static final long FREE = 0;

    /// How many threads want to close the queue.
    private volatile int closing;
    /// The id of the thread that holds the lock, which is never 0. An id and no reference, whose store costs more.
    private long holder;

    private int recursions;

    public QueueLock() {}

    public void lock() {
        if (closing != 0) {
            waitForClosingThread();
        }
        take();
    }

    private void take() {
        long me = Thread.currentThread().threadId();
        long before = (long) HOLDER.compareAndExchange(this, FREE, me);
        if (before == me) {
            recursions++;
        } else if (before != FREE) {
            await(me);
        }
    }

    private void await(long me) {
        long napNs = SHORTEST_NAP_NS;
        boolean interrupted = false;
        for (int attempt = 0;
                (long) HOLDER.getOpaque(this) != FREE || !HOLDER.compareAndSet(this, FREE, me);
                attempt++) {
            if (attempt < SPINS) {
                Thread.onSpinWait();
            } else {
                LockSupport.parkNanos(this, napNs);
                interrupted |= Thread.interrupted(); // otherwise later parks would return at once
                napNs = Math.min(napNs * 2, LONGEST_NAP_NS);
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /// A thread that holds the lock, as in a completion handler, must not wait for a thread that closes.
    private void waitForClosingThread() {
        long me = Thread.currentThread().threadId();
        boolean interrupted = false;
        while (closing != 0 && (long) HOLDER.getOpaque(this) != me) {
            LockSupport.parkNanos(RECHECK_NS);
            interrupted |= Thread.interrupted(); // otherwise later parks would return at once
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    public void unlock() {
        if (recursions > 0) {
            recursions--;
        } else {
            HOLDER.setRelease(this, FREE);
        }
    }

    /// Runs `end` while nobody else is inside.
    public void close(Runnable end) {
        CLOSING.getAndAdd(this, 1);
        take();
        try {
            end.run();
        } finally {
            CLOSING.getAndAdd(this, -1);
            unlock();
        }
    }
}
