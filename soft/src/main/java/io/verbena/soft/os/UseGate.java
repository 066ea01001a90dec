package io.verbena.soft.os;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/// Keeps file descriptors open while a thread is in a system call on them: a descriptor closed too early may
/// already be somebody else's file. Whoever leaves last after [#close] releases them.
public final class UseGate {
    private static final int CLOSED = 1 << 31;
    private static final int RELEASED = 1 << 30;
    private static final int WAIT_STEPS = 500;
    private static final long WAIT_STEP_NS = 200_000;

    /// The number of users, and the two marks.
    private final AtomicInteger state = new AtomicInteger();

    private final Runnable release;
    private volatile boolean released;

    public UseGate(Runnable release) {
        this.release = release;
    }

    /// False once closed; [#leave] must be called only after true.
    public boolean enter() {
        if (state.getAndIncrement() >= 0) {
            return true;
        }
        leave();
        return false;
    }

    public void leave() {
        if (state.decrementAndGet() == CLOSED && state.compareAndSet(CLOSED, CLOSED | RELEASED)) {
            release.run();
            released = true;
        }
    }

    /// Lets nobody enter any more. The caller is inside, so that something is left to wake the others with.
    public void close() {
        state.getAndUpdate(s -> s | CLOSED);
    }

    /// Waits for the others to leave, so that the address is free when `close` returns. A caller that is still
    /// inside itself (it closes from a frame handler) would wait for ever: hence the limit.
    public void awaitRelease() {
        boolean interrupted = false;
        for (int i = 0; i < WAIT_STEPS && !released; i++) {
            LockSupport.parkNanos(WAIT_STEP_NS);
            interrupted |= Thread.interrupted(); // else no later park would wait
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
