package io.verbena.soft.os;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.locks.LockSupport;

/// A lock around work that takes less than a microsecond, unless a program's completion handler does otherwise.
/// Who finds it taken spins a little and then naps, for short at first: the holder may not have a processor
/// just now. The holder may take it again.
///
/// A thread that takes it again and again while nobody else does gets a [Bias]: from then on it takes and gives back
/// the lock with two plain stores. An atomic instruction would wait each time until the message before has left the
/// processor. Others can still take the lock, but each time that costs them an [AsymmetricFence].
///
/// The system property `verbena.soft.biased` set to `false` makes every lock an ordinary one, which prefers nobody.
public final class BiasedLock {
    private static final VarHandle HELD;
    private static final VarHandle INSIDE;
    private static final VarHandle REVOKED;

    static {
        try {
            HELD = MethodHandles.lookup().findVarHandle(BiasedLock.class, "held", int.class);
            INSIDE = MethodHandles.lookup().findVarHandle(Bias.class, "inside", int.class);
            REVOKED = MethodHandles.lookup().findVarHandle(Bias.class, "revoked", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private static final int SPINS = 200;
    private static final long SHORTEST_NAP_NS = 1_000;
    private static final long LONGEST_NAP_NS = 1_000_000;

    /// How often a thread takes the lock for each time that another one does, so that preferring it pays.
    private static final long WORTH_IT = 1_000;

    /// So often must it be in any case; more after each time that it did not pay.
    private static final long FEWEST_TURNS = 1_000;

    private static final long MOST_TURNS = 1 << 16;

    /// What the preferred thread and those who take the lock from it tell each other.
    private static final class Bias {
        final Thread thread;
        /// How often the thread holds the lock just now; written by it alone.
        int inside;
        /// Whether the thread must take the lock as everybody does; for good once the bias is given up.
        int revoked;
        /// How often it took the lock, and how often until somebody else did.
        long entries;

        long entriesSeen;

        Bias(Thread thread) {
            this.thread = thread;
        }
    }

    private int held;
    /// Written by the holder only; others may see it late, but never see themselves in it.
    private Thread holder;

    private int again;
    private Bias bias;
    /// Who may be preferred soon: how often it took the lock, and how often others did.
    private Thread candidate;

    private long turns;
    private long turnsOfOthers;
    private long turnsWanted = FEWEST_TURNS;

    public BiasedLock() {}

    /// False when somebody else holds it, who looks once more, after giving it back, at what was stored before this
    /// call. That holds for volatile stores, and where the holder looks with a volatile load.
    public boolean tryLock() {
        Thread me = Thread.currentThread();
        Bias mine = bias;
        if (mine != null && mine.thread == me) {
            int inside = mine.inside;
            INSIDE.setOpaque(mine, inside + 1);
            // Pairs with the rare side in take, and with the one before awaitFree.
            AsymmetricFence.frequentSide();
            if (inside > 0 || (int) REVOKED.getAcquire(mine) == 0) {
                mine.entries++;
                return true;
            }
            INSIDE.setRelease(mine, inside);
            // Before the look at who holds the lock: whoever is turned away by this thread relies on it. Pairs with the
            // second rare side in tryLockAsOthers.
            AsymmetricFence.frequentSide();
        }
        return tryLockAsOthers(me);
    }

    private boolean tryLockAsOthers(Thread me) {
        while (true) {
            if ((int) HELD.getVolatile(this) != 0) {
                if (holder == me) {
                    again++;
                    return true;
                }
                return false;
            }
            if (!HELD.compareAndSet(this, 0, 1)) {
                return false;
            }
            Bias other = bias;
            boolean taken = false;
            try {
                taken = other == null || other.thread == me || take(other);
            } finally {
                if (!taken) {
                    REVOKED.setVolatile(other, 0);
                    HELD.setVolatile(this, 0);
                }
            }
            if (taken) {
                holder = me;
                // Pairs with the rare side before awaitFree: its caller sees the lock held, or this thread sees what
                // the caller stored. A compareAndSet keeps loads behind it from coming first on some processors only.
                AsymmetricFence.frequentSideInProcess();
                return true;
            }
            // Those who were turned away meanwhile rely on the preferred thread: it must still be inside. Pairs with
            // the
            // frequent side in unlock, and with the one in tryLock after it turned out to be revoked.
            AsymmetricFence.rareSideInProcess();
            if ((int) INSIDE.getAcquire(other) != 0) {
                return false;
            }
        }
    }

    /// Keeps the preferred thread out; false when it is inside and does not leave soon.
    private static boolean take(Bias other) {
        REVOKED.setVolatile(other, 1);
        // Pairs with the frequent side in tryLock: from here on the preferred thread sees that, or is seen inside.
        AsymmetricFence.rareSideInProcess();
        for (int turn = 0; (int) INSIDE.getAcquire(other) != 0; turn++) {
            if (turn == SPINS) {
                return false;
            }
            Thread.onSpinWait();
        }
        return true;
    }

    public void lock() {
        if (!tryLock()) {
            await();
        }
    }

    private void await() {
        long napNs = SHORTEST_NAP_NS;
        boolean interrupted = false;
        for (int turn = 0; !tryLock(); turn++) {
            // A preferred thread was waited for already, and each further attempt costs it and us a heavy fence.
            if (turn < SPINS && bias == null) {
                Thread.onSpinWait();
            } else {
                interrupted |= Thread.interrupted();
                LockSupport.parkNanos(this, napNs);
                napNs = Math.min(napNs * 2, LONGEST_NAP_NS);
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /// Who looks afterwards whether others have come meanwhile, and found the lock taken, sees what they stored before.
    public void unlock() {
        Bias mine = bias;
        if (mine != null && mine.inside > 0 && mine.thread == Thread.currentThread()) {
            INSIDE.setRelease(mine, mine.inside - 1);
            // Before the holder's look at what others left. Pairs with the second rare side in tryLockAsOthers.
            AsymmetricFence.frequentSide();
        } else if (again > 0) {
            again--;
        } else {
            unlockAsOthers();
        }
    }

    private void unlockAsOthers() {
        Bias other = bias;
        if (other == null) {
            prefer(holder);
        } else if (other.thread != holder) {
            giveBack(other);
        }
        holder = null;
        HELD.setVolatile(this, 0);
    }

    private void prefer(Thread me) {
        if (me != candidate) {
            if (++turnsOfOthers * WORTH_IT > turns) {
                consider(me);
            }
        } else if (++turns >= turnsWanted && AsymmetricFence.IN_PROCESS) {
            bias = new Bias(me);
            consider(me);
        }
    }

    private void consider(Thread me) {
        candidate = me;
        turns = 0;
        turnsOfOthers = 0;
    }

    private void giveBack(Bias other) {
        long since = other.entries - other.entriesSeen;
        other.entriesSeen = other.entries;
        if (since >= WORTH_IT) {
            turnsWanted = FEWEST_TURNS;
            REVOKED.setVolatile(other, 0);
        } else {
            turnsWanted = Math.min(turnsWanted * 2, MOST_TURNS);
            bias = null;
        }
    }

    /// Whether a thread is preferred just now; for tests.
    boolean isBiased() {
        return bias != null;
    }

    /// Whether somebody holds it, as a hint.
    public boolean isHeld() {
        Bias other = bias;
        return (int) HELD.getAcquire(this) != 0 || other != null && (int) INSIDE.getAcquire(other) != 0;
    }

    /// Waits until no other thread holds the lock that held it before this was called. The caller made the
    /// rare side of an [AsymmetricFence] in this process before: threads that take the lock from then on see what the
    /// caller stored before it.
    public void awaitFree() {
        if (isHeldByCurrentThread()) {
            return;
        }
        long napNs = SHORTEST_NAP_NS;
        for (int turn = 0; isHeld(); turn++) {
            if (turn < SPINS) {
                Thread.onSpinWait();
            } else {
                LockSupport.parkNanos(this, napNs);
                napNs = Math.min(napNs * 2, LONGEST_NAP_NS);
            }
        }
    }

    public boolean isHeldByCurrentThread() {
        Thread me = Thread.currentThread();
        Bias mine = bias;
        return holder == me || mine != null && mine.thread == me && mine.inside > 0;
    }
}
