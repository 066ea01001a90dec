package io.verbena.endpoint;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.locks.LockSupport;

/// A lock that is held for less than a microsecond, by platform and virtual threads. Each message takes it. Not
/// reentrant.
///
/// An atomic instruction waits until the stores before it have left the processor, which right after a message to
/// another core takes longer than the message. So a thread that takes the lock again and again, while no other does,
/// gets a [Bias]: it locks and unlocks by plain stores from then on. The first other thread that comes ends the bias by
/// a [ThreadsFence]. A lock that several threads use gets no bias any more.
final class ShortLock {
    private static final VarHandle HELD;
    private static final VarHandle INSIDE;
    private static final VarHandle REVOKED;
    private static final int MOST_TRIES = 100;
    private static final long PAUSE_NS = 20_000;

    /// How often a thread must take the lock in a row for a bias, and how many biases a lock has at most.
    private static final int NEEDED = 1_000;

    private static final int MOST_BIASES = 3;

    static {
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            HELD = lookup.findVarHandle(ShortLock.class, "held", int.class);
            INSIDE = lookup.findVarHandle(Bias.class, "inside", int.class);
            REVOKED = lookup.findVarHandle(Bias.class, "revoked", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /// The words that the thread with the bias and the thread that revokes it exchange.
    private static final class Bias {
        final Thread thread;

        /// Whether that thread holds the lock. Written by that thread only.
        int inside;

        /// Stays set.
        @SuppressWarnings("unused") // by its VarHandle
        int revoked;

        Bias(Thread thread) {
            this.thread = thread;
        }
    }

    @SuppressWarnings("unused") // by its VarHandle
    private int held;

    // ---- written while held is set; threads without the lock may read an old bias, which is revoked ----
    private Bias bias;
    private Thread last;
    private int inRow;
    private int biases;

    void lock() {
        Bias mine = bias;
        Thread me = Thread.currentThread();
        if (mine != null && mine.thread == me) {
            INSIDE.setOpaque(mine, 1);
            ThreadsFence.frequentSide();
            if ((int) REVOKED.getAcquire(mine) == 0) {
                return;
            }
            INSIDE.setRelease(mine, 0);
        }
        lockByInstruction(me);
    }

    private void lockByInstruction(Thread me) {
        for (int tries = 1; !HELD.compareAndSet(this, 0, 1); tries++) {
            pause(tries);
        }
        try {
            changeBias(me);
        } catch (Throwable e) { // no memory, for example: the caller does not have the lock then
            HELD.setRelease(this, 0);
            throw e;
        }
    }

    private void changeBias(Thread me) {
        if (bias != null) {
            revoke(bias);
            bias = null;
        }
        if (last != me) {
            last = me;
            inRow = 0;
        } else if (++inRow == NEEDED && biases < MOST_BIASES && ThreadsFence.IS_KNOWN) {
            bias = new Bias(me); // from the next time on
            inRow = 0;
            biases++;
        }
    }

    private void revoke(Bias other) {
        REVOKED.setVolatile(other, 1);
        // Either the thread with the bias sees that, or this one sees it inside.
        ThreadsFence.rareSide();
        for (int tries = 1; (int) INSIDE.getAcquire(other) != 0; tries++) {
            pause(tries);
        }
    }

    /// A holder that lost its processor needs a moment.
    private void pause(int tries) {
        if (tries % MOST_TRIES == 0) {
            LockSupport.parkNanos(this, PAUSE_NS);
        } else {
            Thread.onSpinWait();
        }
    }

    void unlock() {
        Bias mine = bias;
        if (mine != null && mine.inside != 0 && mine.thread == Thread.currentThread()) {
            INSIDE.setRelease(mine, 0);
        } else {
            HELD.setRelease(this, 0);
        }
    }

    /// For tests.
    boolean isBiased() {
        return bias != null;
    }
}
