package io.verbena.soft.os;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.locks.LockSupport;

/// A reentrant lock for work that takes less than a microsecond, except where a program's completion handler runs under
/// it. A thread that finds the lock held spins, then naps for increasing times: the holder may have no processor at the
/// moment.
///
/// The lock gets a [Bias] to a thread that takes it repeatedly while no other thread does. From then on that thread,
/// the bias owner, locks and unlocks with two plain stores. An atomic instruction would wait each time until the stores
/// of the last message have left the processor. Other threads can still take the lock, but each time they must revoke
/// the bias by an [AsymmetricFence].
///
/// The system property `verbena.soft.biased` set to `false` makes every lock an ordinary one, without bias.
public final class BiasedLock {
    private static final VarHandle HELD = FieldHandle.of(MethodHandles.lookup(), "held", int.class);
    private static final VarHandle INSIDE =
            FieldHandle.of(MethodHandles.lookup().in(Bias.class), "inside", int.class);
    private static final VarHandle REVOCATIONS = FieldHandle.of(MethodHandles.lookup(), "revocations", long.class);
    private static final VarHandle REVOKED =
            FieldHandle.of(MethodHandles.lookup().in(Bias.class), "revoked", int.class);

    private static final int SPINS = 200;
    private static final long SHORTEST_NAP_NS = 1_000;
    private static final long LONGEST_NAP_NS = 1_000_000;

    /// A bias pays when its owner takes the lock this many times for each time that another thread does.
    private static final long MIN_RATIO = 1_000;

    /// How often a thread must take the lock before it gets the bias. Doubled each time that the bias did not pay.
    private static final long MIN_ACQUISITIONS = 1_000;

    private static final long MAX_ACQUISITIONS = 1 << 16;

    /// Whether the bias pays is evaluated after this many revocations: other threads often come twice in a row.
    private static final int EVALUATE_EVERY = 4;

    /// The words that the bias owner and the threads that revoke the bias exchange.
    private static final class Bias {
        final Thread thread;
        /// How many times the bias owner holds the lock at the moment. Written only by the bias owner.
        int inside;
        /// Whether the bias owner must take the lock like any other thread. Stays set once the bias is dropped.
        int revoked;
        /// How often the bias owner took the lock, in total and until the last evaluation.
        long acquisitions;

        long acquisitionsSeen;
        /// How often other threads took the lock since the last evaluation.
        int revocations;

        Bias(Thread thread) {
            this.thread = thread;
        }
    }

    private int held;
    /// Written by the holder only. Other threads may read an old value, but never their own thread.
    private Thread holder;

    private int recursions;
    private Bias bias;
    /// Written by threads that hold the lock as others, read by any.
    private volatile long revocations;

    /// The thread that may get the bias next: how often it took the lock, and how often others did.
    private Thread candidate;

    private long acquisitions;
    private long acquisitionsOfOthers;
    private long acquisitionsNeeded = MIN_ACQUISITIONS;

    public BiasedLock() {}

    /// False when another thread holds the lock. If the caller made a volatile store before this call, a volatile load
    /// of the holder after [#unlock] sees it.
    public boolean tryLock() {
        Thread me = Thread.currentThread();
        Bias mine = bias;
        if (mine != null && mine.thread == me) {
            int inside = mine.inside;
            INSIDE.setOpaque(mine, inside + 1);
            // Pairs with the rare side in revoke, and with the one in LocalDevice.awaitCopies, before awaitFree.
            AsymmetricFence.frequentSide();
            if (inside > 0 || (int) REVOKED.getAcquire(mine) == 0) {
                mine.acquisitions++;
                return true;
            }
            INSIDE.setRelease(mine, inside);
            // Before the load of the holder: a thread whose tryLock failed because of this one relies on it. Pairs with
            // the rare side in tryLockAsOthers.
            AsymmetricFence.frequentSide();
        }
        return tryLockAsOthers(me);
    }

    private boolean tryLockAsOthers(Thread me) {
        while (true) {
            if ((int) HELD.getVolatile(this) != 0) {
                if (holder == me) {
                    recursions++;
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
                taken = other == null || other.thread == me || countedRevoke(other);
            } finally {
                if (!taken) {
                    REVOKED.setVolatile(other, 0);
                    HELD.setVolatile(this, 0);
                }
            }
            if (taken) {
                holder = me;
                // Pairs with the rare side in LocalDevice.awaitCopies, before awaitFree: either its caller sees the
                // lock held, or this thread sees what the caller stored. On some processors a compareAndSet does not
                // keep later loads behind it.
                AsymmetricFence.frequentSideInProcess();
                return true;
            }
            // Threads whose tryLock failed meanwhile rely on the bias owner, which must still hold the lock. Pairs with
            // the frequent side in unlock, and with the one in tryLock after it turned out to be revoked.
            AsymmetricFence.rareSideInProcess();
            if ((int) INSIDE.getAcquire(other) != 0) {
                return false;
            }
        }
    }

    private boolean countedRevoke(Bias other) {
        REVOCATIONS.setOpaque(this, (long) REVOCATIONS.getOpaque(this) + 1);
        return revoke(other);
    }

    /// How often other threads tried to take the lock from the bias owner.
    public long revocations() {
        return revocations;
    }

    /// Revokes the bias. False when the bias owner holds the lock and does not release it soon.
    private static boolean revoke(Bias other) {
        REVOKED.setVolatile(other, 1);
        // Pairs with the frequent side in tryLock: either the bias owner sees REVOKED, or this thread sees it inside.
        AsymmetricFence.rareSideInProcess();
        for (int spins = 0; (int) INSIDE.getAcquire(other) != 0; spins++) {
            if (spins == SPINS) {
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
        for (int attempt = 0; !tryLock(); attempt++) {
            // Revoking has waited for the bias owner already, and each further attempt costs both threads a rare-side
            // fence.
            if (attempt < SPINS && bias == null) {
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

    /// A load after this call sees the stores of threads whose [#tryLock] failed meanwhile.
    public void unlock() {
        Bias mine = bias;
        if (mine != null && mine.inside > 0 && mine.thread == Thread.currentThread()) {
            INSIDE.setRelease(mine, mine.inside - 1);
            // Before the holder's load of what other threads stored. Pairs with the rare side in tryLockAsOthers.
            AsymmetricFence.frequentSide();
        } else if (recursions > 0) {
            recursions--;
        } else {
            unlockAsOthers();
        }
    }

    private void unlockAsOthers() {
        Bias other = bias;
        if (other == null) {
            countAcquisition(holder);
        } else if (other.thread != holder) {
            restoreOrDrop(other);
        }
        holder = null;
        HELD.setVolatile(this, 0);
    }

    private void countAcquisition(Thread me) {
        if (me != candidate) {
            if (++acquisitionsOfOthers * MIN_RATIO > acquisitions) {
                chooseCandidate(me);
            }
        } else if (++acquisitions >= acquisitionsNeeded && AsymmetricFence.IN_PROCESS) {
            bias = new Bias(me);
            chooseCandidate(me);
        }
    }

    private void chooseCandidate(Thread me) {
        candidate = me;
        acquisitions = 0;
        acquisitionsOfOthers = 0;
    }

    private void restoreOrDrop(Bias other) {
        if (++other.revocations < EVALUATE_EVERY) {
            REVOKED.setVolatile(other, 0);
            return;
        }
        long since = other.acquisitions - other.acquisitionsSeen;
        other.acquisitionsSeen = other.acquisitions;
        other.revocations = 0;
        if (since >= EVALUATE_EVERY * MIN_RATIO) {
            acquisitionsNeeded = MIN_ACQUISITIONS;
            REVOKED.setVolatile(other, 0);
        } else {
            acquisitionsNeeded = Math.min(acquisitionsNeeded * 2, MAX_ACQUISITIONS);
            bias = null;
        }
    }

    /// Whether the lock has a bias; for tests.
    boolean isBiased() {
        return bias != null;
    }

    /// Whether a thread holds the lock, as a hint.
    public boolean isHeld() {
        Bias other = bias;
        return (int) HELD.getAcquire(this) != 0 || other != null && (int) INSIDE.getAcquire(other) != 0;
    }

    /// Waits until the present holder has released the lock. The caller must have called
    /// [AsymmetricFence#rareSideInProcess] before: threads that take the lock later then see what the caller stored
    /// before that fence.
    public void awaitFree() {
        if (isHeldByCurrentThread()) {
            return;
        }
        long napNs = SHORTEST_NAP_NS;
        for (int attempt = 0; isHeld(); attempt++) {
            if (attempt < SPINS) {
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
