package io.verbena.endpoint;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.locks.LockSupport;

/// A lock that is held for less than a microsecond, by platform and virtual threads. It costs half of a lock of the
/// JDK, which is part of each message. Not reentrant.
final class ShortLock {
    private static final VarHandle HELD;
    private static final int MOST_TRIES = 100;
    private static final long PAUSE_NS = 20_000;

    static {
        try {
            HELD = MethodHandles.lookup().findVarHandle(ShortLock.class, "held", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    @SuppressWarnings("unused") // by its VarHandle
    private int held;

    void lock() {
        if (!HELD.compareAndSet(this, 0, 1)) {
            lockLater();
        }
    }

    /// A holder that lost its processor needs a moment.
    private void lockLater() {
        for (int tries = 1; !HELD.compareAndSet(this, 0, 1); tries++) {
            if (tries % MOST_TRIES == 0) {
                LockSupport.parkNanos(this, PAUSE_NS);
            } else {
                Thread.onSpinWait();
            }
        }
    }

    void unlock() {
        HELD.setRelease(this, 0);
    }
}
