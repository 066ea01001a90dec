package io.verbena.soft.engine;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.locks.LockSupport;

/// A lock around work that takes less than a microsecond: one atomic instruction to take it, a store to give it back.
/// Who finds it taken spins a little and then naps, for short at first: the holder may not have a processor just now.
/// The holder may take it again.
public final class ShortLock {
    private static final VarHandle HELD;

    static {
        try {
            HELD = MethodHandles.lookup().findVarHandle(ShortLock.class, "held", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private static final int SPINS = 200;
    private static final long SHORTEST_NAP_NS = 1_000;
    private static final long LONGEST_NAP_NS = 1_000_000;

    private int held;
    /// Written by the holder only; others may see it late, but never see themselves in it.
    private Thread holder;

    private int again;

    public ShortLock() {}

    public boolean tryLock() {
        if ((int) HELD.getOpaque(this) == 0) {
            if (HELD.compareAndSet(this, 0, 1)) {
                holder = Thread.currentThread();
                return true;
            }
            return false;
        }
        if (isHeldByCurrentThread()) {
            again++;
            return true;
        }
        return false;
    }

    public void lock() {
        if (!tryLock()) {
            await();
        }
    }

    private void await() {
        long napNs = SHORTEST_NAP_NS;
        for (int turn = 0; !tryLock(); turn++) {
            if (turn < SPINS) {
                Thread.onSpinWait();
            } else {
                LockSupport.parkNanos(this, napNs);
                napNs = Math.min(napNs * 2, LONGEST_NAP_NS);
            }
        }
    }

    /// Not a full fence: who looks afterwards whether others have come meanwhile needs one.
    public void unlock() {
        if (again > 0) {
            again--;
        } else {
            holder = null;
            HELD.setRelease(this, 0);
        }
    }

    public boolean isHeldByCurrentThread() {
        return holder == Thread.currentThread();
    }
}
