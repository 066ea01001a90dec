package io.verbena.soft.net;

import java.util.function.BooleanSupplier;

/// A thread that takes turns under a virtual clock. Its fields are guarded by its [SimulatedThreads]; other threads
/// only read them.
final class Participant {
    /// A wait of a participant.
    static final class Wait {
        final BooleanSupplier ready;
        /// Whether any thread may evaluate `ready`; otherwise only the waiting one.
        final boolean askedAnywhere;
        final long endNs;
        final boolean isForEver;
        /// The version when the waiting thread last evaluated `ready` itself.
        long seenVersion;

        boolean isExpired;
        boolean isInterrupted;
        /// Why nothing can end the wait; null as long as something may.
        String deadlock;

        Wait(BooleanSupplier ready, boolean askedAnywhere, long endNs, boolean isForEver) {
            this.ready = ready;
            this.askedAnywhere = askedAnywhere;
            this.endNs = endNs;
            this.isForEver = isForEver;
        }

        /// The wait of a thread that waits only for its turn.
        static Wait forTurn() {
            return new Wait(() -> true, true, 0, true);
        }

        boolean isOver(long version) {
            return isInterrupted
                    || isExpired
                    || deadlock != null
                    || (askedAnywhere ? ready.getAsBoolean() : seenVersion != version);
        }
    }

    final Thread thread;
    /// Null while the thread runs its program, or is blocked in it.
    volatile Wait wait;

    /// Whether it has the turn to run its program, not only to find the next thread.
    boolean isGranted;

    /// Whether the turn was taken from it, so that it runs or is blocked without one.
    boolean isAway;

    /// Whether it was seen running while away, and since when, in real time.
    private boolean runs;

    private long runsSinceNs;

    Participant(Thread thread) {
        this.thread = thread;
    }

    /// Whether it waits and may continue. An interrupted thread may not have noticed the interrupt yet.
    boolean isWaitOver(long version) {
        return wait != null && (thread.isInterrupted() || wait.isOver(version));
    }

    /// The turn is taken from it.
    void leave() {
        isAway = true;
        runs = false;
    }

    /// Whether it seems to run its program, and for less than `longestNs`.
    boolean runsLessThan(long longestNs, long realNowNs) {
        boolean did = runs;
        runs = !ThreadStates.isBlocked(thread);
        if (runs && !did) {
            runsSinceNs = realNowNs;
        }
        return runs && realNowNs - runsSinceNs < longestNs;
    }

    boolean isGone() {
        return thread.getState() == Thread.State.TERMINATED;
    }

    /// The thread, and its position in the program.
    @Override
    public String toString() {
        return (thread.getName().isEmpty() ? thread.toString() : thread.getName())
                + (wait == null ? " is blocked at " : " waits at ")
                + ThreadStates.place(thread);
    }
}
