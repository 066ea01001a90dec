package io.verbena.soft.net;

import io.verbena.soft.net.Participant.Wait;
import io.verbena.soft.os.NanoClock;
import io.verbena.verbs.Errno;
import io.verbena.verbs.RdmaException;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/// Lets several threads share one virtual clock: they take turns, so that the same seed gives the same run with several
/// threads as well. Exactly one thread runs at a time. When it waits here or ends, it passes the turn to the next
/// thread, in a fixed order, whose wait is over. While no wait is over, the thread that passes the turn advances the
/// network step by step, at most to the earliest timeout.
///
/// The thread with the turn may also block elsewhere: on a latch, a future, a lock. So threads that wait for the turn
/// check it every few real milliseconds, and take the turn from a thread that stays blocked. That thread is then
/// *away*. Once unblocked, it runs without the turn until it waits here. Its calls are safe, but their results depend
/// on real time. Virtual time stands still while it runs.
///
/// A thread becomes a participant by waiting here for the first time, or by being started here.
final class SimulatedThreads {
    /// A wait of this length counts as unlimited. Callers that mean "for ever" pass more, minus the time that they have
    /// waited.
    static final long FOR_EVER_NS = Duration.ofDays(100).toNanos();

    /// Longer than all retries of a queue pair can take. Timers that repeat for ever, as keep-alives do, must not hide
    /// a deadlock.
    private static final long NOTHING_WAKES_AFTER_NS = Duration.ofDays(1).toNanos();

    /// A thread that ran may have unblocked one that is away, which the system has not woken yet. So the clock advances
    /// only by this much before that thread was seen blocked [#AWAY_CHECKS] times.
    private static final long SOON_NS = 1_000_000;

    private static final int AWAY_CHECKS = 10;

    // ---- real time ----

    private static final long CHECK_EVERY_NS = 2_000_000;
    private static final int BLOCKED_CHECKS = 5;
    private static final long OUTSIDE_CHECK_NS = 200_000;

    /// A thread that runs this long without a wait is treated as blocked: it may spin until another thread does
    /// something.
    private static final long LONGEST_TURN_NS = 10_000_000_000L;

    /// How long to wait for threads that are blocked elsewhere when all others wait for ever.
    private static final long LONGEST_STANDSTILL_NS = 30_000_000_000L;

    private final SimulatedNetwork network;
    private final NanoClock realClock = NanoClock.SYSTEM;
    private final Participants participants = new Participants();
    /// The thread that has the turn; null when no thread wants it.
    private volatile Participant holder;

    /// Changes whenever the network or a program did something.
    private long version;

    private long turnSinceNs;
    private long lastRunNs;
    private int awayChecks;
    private long standsSinceNs;
    private boolean stands;

    SimulatedThreads(SimulatedNetwork network) {
        this.network = network;
    }

    /// Waits in virtual time. Returns whether `ready` is true.
    ///
    /// @param askedAnywhere whether any thread may evaluate `ready`, one at a time; otherwise only this one does
    boolean await(BooleanSupplier ready, boolean askedAnywhere, long timeoutNs) {
        return await(ready, askedAnywhere, timeoutNs, timeoutNs >= FOR_EVER_NS);
    }

    /// Waits until the virtual time is over.
    void sleep(long timeNs) {
        await(() -> false, true, timeNs, false);
    }

    private boolean await(BooleanSupplier ready, boolean askedAnywhere, long timeoutNs, boolean isForEver) {
        Participant me = takeTurn();
        try {
            return await(me, new Wait(ready, askedAnywhere, network.nowNs() + timeoutNs, isForEver));
        } finally {
            onRuns();
        }
    }

    private boolean await(Participant me, Wait wait) {
        while (true) {
            if (wait.ready.getAsBoolean()) {
                if (wait.isInterrupted) {
                    Thread.currentThread().interrupt();
                }
                return true;
            }
            if (wait.isInterrupted) {
                throw new RdmaException("wait", Errno.EINTR, "the waiting thread was interrupted");
            }
            if (wait.deadlock != null) {
                throw new IllegalStateException(wait.deadlock);
            }
            if (wait.isExpired) {
                return false;
            }
            synchronized (this) {
                wait.seenVersion = version;
                me.wait = wait;
                me.isGranted = false;
            }
            passTurn(me);
        }
    }

    /// Returns when this thread has the turn.
    Participant takeTurn() {
        Participant me;
        synchronized (this) {
            me = participants.of(Thread.currentThread(), holder);
            me.isAway = false;
            if (holder == me) {
                return me;
            }
            me.isGranted = false;
            me.wait = Wait.forTurn();
            if (holder == null) {
                grant(me);
                begin(me);
                return me;
            }
        }
        awaitFirstTurn(me);
        return me;
    }

    /// Starts a thread that runs when it is its turn.
    ///
    /// @param builder what thread to make
    Thread start(Thread.Builder builder, Runnable program) {
        takeTurn();
        Participant[] started = new Participant[1];
        Thread thread = builder.unstarted(() -> run(started[0], program));
        started[0] = new Participant(thread);
        started[0].wait = Wait.forTurn();
        synchronized (this) {
            participants.add(started[0]);
        }
        boolean runs = false;
        try {
            thread.start();
            runs = true;
        } finally {
            if (!runs) {
                end(started[0]);
            }
        }
        return thread;
    }

    private void run(Participant me, Runnable program) {
        try {
            awaitFirstTurn(me);
            program.run();
        } finally {
            end(me);
        }
    }

    private void awaitFirstTurn(Participant me) {
        Wait wait = me.wait;
        passTurn(me);
        if (wait.isInterrupted) {
            // The program's next wait reports it.
            Thread.currentThread().interrupt();
        }
        onRuns();
    }

    /// Called before a thread ends: another thread finds the next one.
    private synchronized void end(Participant me) {
        participants.remove(me);
        if (holder == me) {
            holder = participants.first(other -> other.wait != null);
            if (holder != null) {
                LockSupport.unpark(holder.thread);
            }
        }
        version++;
    }

    // ---- who is next ----

    /// Finds the thread that runs next, unless another thread does so, and returns when it is this one's turn.
    private void passTurn(Participant me) {
        try {
            // A new thread may get its first turn before it calls this.
            boolean finished = hasTurn(me) ? me.isGranted : awaitGrant(me);
            while (!finished) {
                Participant next = next(me);
                if (next != null) {
                    synchronized (this) {
                        grant(next);
                    }
                    finished = next == me || awaitGrant(me);
                }
            }
        } finally {
            // Even when the network threw: this thread then continues with the exception.
            synchronized (this) {
                begin(me);
            }
        }
    }

    /// False when the turn was taken from this thread meanwhile.
    private synchronized boolean hasTurn(Participant me) {
        me.isAway = false;
        return holder == me;
    }

    /// Advances the network by one step if no thread can run. Returns the thread that runs next, or null when there is
    /// more to do.
    private Participant next(Participant me) {
        boolean isSoon;
        long untilNs;
        synchronized (this) {
            me.wait.isInterrupted |= Thread.interrupted();
            Participant ready = participants.first(other -> other.isWaitOver(version));
            if (ready != null) {
                stands = false;
                return ready;
            }
            untilNs = participants.isAnyBounded()
                    ? network.nowNs() + participants.untilFirstEndNs(network.nowNs())
                    : lastRunNs + NOTHING_WAKES_AFTER_NS;
            long soonNs = lastRunNs + SOON_NS;
            isSoon = awayChecks < AWAY_CHECKS && untilNs - soonNs > 0 && participants.isAnyAway();
            untilNs = isSoon ? soonNs : untilNs;
        }
        if (isOneRunning()) {
            LockSupport.parkNanos(this, OUTSIDE_CHECK_NS);
            return null;
        }
        boolean happened = network.advance(untilNs);
        if (!happened && isSoon) {
            awayChecks++;
            LockSupport.parkNanos(this, CHECK_EVERY_NS);
            return null;
        }
        synchronized (this) {
            if (happened) {
                version++;
                return null;
            }
            Participant expired = participants.firstExpired(network.nowNs());
            if (expired != null || !mayBeWoken()) {
                return expired;
            }
        }
        LockSupport.parkNanos(this, OUTSIDE_CHECK_NS);
        return null;
    }

    private void grant(Participant next) {
        participants.onRuns(next);
        holder = next;
        next.isGranted = true;
        turnSinceNs = realClock.nowNs();
        LockSupport.unpark(next.thread);
    }

    private void begin(Participant me) {
        me.wait = null;
        me.isAway = false;
    }

    /// The calling thread continues with its program, which may do anything.
    private synchronized void onRuns() {
        lastRunNs = network.nowNs();
        awayChecks = 0;
        version++;
    }

    // ---- threads that wait for the turn ----

    /// True when this thread may run, false when it has to find the next thread.
    private boolean awaitGrant(Participant me) {
        int blockedChecks = 0;
        Participant lookedAt = null;
        while (true) {
            // Not under the lock, for which the other thread may be waiting.
            Participant seen = holder;
            blockedChecks = seen == lookedAt && seen != me && isOutside(seen) ? blockedChecks + 1 : 0;
            lookedAt = seen;
            synchronized (this) {
                me.wait.isInterrupted |= Thread.interrupted();
                if (holder == null
                        || holder != me && (holder.isGone() || isTooLong(holder))
                        || holder == seen && blockedChecks >= BLOCKED_CHECKS) {
                    takeTurnFrom(holder, me);
                }
                if (holder == me) {
                    if (me.isGranted) {
                        begin(me);
                    }
                    return me.wait == null;
                }
            }
            LockSupport.parkNanos(this, CHECK_EVERY_NS);
        }
    }

    /// Whether the thread with the turn is blocked in its program. A thread that just got the turn, or that searches
    /// for the next one, is not in its program.
    private static boolean isOutside(Participant holder) {
        return holder != null && holder.wait == null && ThreadStates.isBlocked(holder.thread);
    }

    private boolean isTooLong(Participant holder) {
        return holder.wait == null && realClock.nowNs() - turnSinceNs > LONGEST_TURN_NS;
    }

    private void takeTurnFrom(Participant from, Participant me) {
        if (from != null) {
            from.leave();
        }
        holder = me;
    }

    // ---- threads that are away ----

    /// Whether a thread runs without the turn. Time must not pass before it waits.
    private synchronized boolean isOneRunning() {
        return participants.isAwayOneRunning(LONGEST_TURN_NS, realClock.nowNs());
    }

    /// All threads wait for ever, and no event is left. A thread that is away may still wake one; otherwise all waits
    /// end with a deadlock exception.
    private boolean mayBeWoken() {
        if (!stands) {
            stands = true;
            standsSinceNs = realClock.nowNs();
        }
        if (participants.isAnyAway() && realClock.nowNs() - standsSinceNs < LONGEST_STANDSTILL_NS) {
            return true;
        }
        participants.onDeadlock("deadlock in virtual time, %s after the start: all threads wait for ever, and nothing"
                        .formatted(network.elapsed())
                + " is left that would wake one");
        return false;
    }
}
