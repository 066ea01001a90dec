package io.verbena.soft.os;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/// Keeps file descriptors open while a thread is in a system call on them: the number of a descriptor closed too early
/// may already belong to another file. The last thread that leaves after [#close] releases them.
public final class UseGate {
    private static final int CLOSED = 1 << 31;
    private static final int RELEASED = 1 << 30;
    private static final int WAIT_STEPS = 500;
    private static final long WAIT_STEP_NS = 200_000;

    /// The number of threads inside, and the two flags.
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

    /// Runs an action inside, unless the gate is closed. For rare calls, because it allocates.
    public void use(Runnable action) {
        if (enter()) {
            try {
                action.run();
            } finally {
                leave();
            }
        }
    }

    /// Lets no further thread enter. The caller is inside, so that it can still wake the others through a descriptor.
    public void close() {
        state.getAndUpdate(s -> s | CLOSED);
    }

    /// Waits until the other threads have left, so that the address is free when `close` returns. The wait is limited,
    /// because a caller that is inside itself (it closes from a frame handler) would wait for ever.
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
