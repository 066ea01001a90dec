package io.verbena.endpoint;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/// How threads of a program poll a hub while they wait, each for something of its own. The thread that owns the hub
/// polls for all others as well.
final class HubSpin {
    private static final VarHandle FOLLOWED;
    private static final VarHandle WANTED;

    private static final int POLLS_PER_CLOCK = 16;

    private static final Hub.Source NOTHING = () -> null;

    /// How often a thread tries to own the hub, some microseconds: most owners are done soon.
    private static final int MOST_TRIES = 200;

    static {
        try {
            FOLLOWED = MethodHandles.lookup().findVarHandle(HubSpin.class, "followed", int.class);
            WANTED = MethodHandles.lookup().findVarHandle(HubSpin.class, "wanted", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /// Whose thread spins.
    private enum Spinner {
        PROGRAM,

        /// Ends when something came for others, most probably for other virtual threads.
        PROGRAM_VIRTUALLY,

        /// Ends when a thread of the program wants to poll.
        LIBRARY
    }

    private final Hub hub;
    private final Patience patience;

    /// How often a thread polled that is not the hub's own. Written by the owner; others read it after [Hub#isOwned].
    private int turns;

    /// Whether the owner is a thread that polls for itself. Written by the owner; others may see it late.
    private boolean isActive;

    /// Whether a thread spins beside the owner.
    @SuppressWarnings("unused") // by its VarHandle
    private int followed;

    /// How many threads of the program wait until the owner is done, and would poll by themselves then.
    @SuppressWarnings("unused") // by its VarHandle
    private int wanted;

    HubSpin(Hub hub, Patience patience) {
        this.hub = hub;
        this.patience = patience;
    }

    /// Changes whenever a thread polls for itself. To be read after [Hub#isOwned].
    int turns() {
        return turns;
    }

    /// A thread polls for itself. Of the owner.
    void countTurn() {
        turns++;
    }

    /// Whether a thread polls for itself just now. To be read after [Hub#leave].
    boolean isActive() {
        return isActive;
    }

    /// Polls as the owner, again and again until the spin time is over. Null when the hub is not free, or when what is
    /// waited for did not come.
    Object spin(Hub.Source source, long longestNs) {
        if (Thread.currentThread().isVirtual()) {
            return spinInTurns(source, longestNs);
        }
        return awaitOwnership() ? spinOwning(source, longestNs, patience.mostNs(), Spinner.PROGRAM) : null;
    }

    private boolean awaitOwnership() {
        if (hub.tryOwn()) {
            return true;
        }
        WANTED.getAndAdd(this, 1);
        try {
            for (int tries = 0; tries < MOST_TRIES; tries++) {
                Thread.onSpinWait();
                if (hub.tryOwn()) {
                    return true;
                }
            }
            return false;
        } finally {
            WANTED.getAndAdd(this, -1);
        }
    }

    private Object spinOwning(Hub.Source source, long longestNs, long mostNs, Spinner spinner) {
        try {
            turns++;
            isActive = true;
            return spinAsOwner(source, longestNs, mostNs, spinner);
        } finally {
            isActive = false;
            hub.disown();
        }
    }

    /// A virtual thread spins only while messages come quickly. In between it gives its carrier to other threads, most
    /// of all to those that it has brought something, and does not own the hub then.
    private Object spinInTurns(Hub.Source source, long longestNs) {
        boolean mayStay = longestNs > 0 && patience.isQuick();
        long beganNs = mayStay ? System.nanoTime() : 0;
        while (awaitOwnership()) {
            Object taken =
                    spinOwning(source, longestNs, mayStay ? patience.withoutPauseNs() : 0, Spinner.PROGRAM_VIRTUALLY);
            if (taken != null || !mayStay) {
                return taken;
            }
            Thread.yield();
            mayStay = !Thread.currentThread().isInterrupted()
                    && System.nanoTime() - beganNs < Math.min(longestNs, patience.mostVirtualNs());
        }
        return null;
    }

    /// As [#spin], for a waiter that is enlisted: it may be finished by this thread or by the one that owns the hub.
    /// One thread at a time spins so beside the owner; the others sleep. True when the waiter is finished.
    boolean spinEnlisted(Waiter waiter, long longestNs) {
        if (Thread.currentThread().isVirtual() || !FOLLOWED.compareAndSet(this, 0, 1)) {
            return waiter.isDone();
        }
        WANTED.getAndAdd(this, 1);
        try {
            return follow(waiter, longestNs);
        } finally {
            WANTED.getAndAdd(this, -1);
            FOLLOWED.setRelease(this, 0);
        }
    }

    private boolean follow(Waiter waiter, long longestNs) {
        Hub.Source finishing = () -> waiter.tryFinish() ? waiter : null;
        long mostNs = Math.min(longestNs, patience.mostNs());
        long beganNs = System.nanoTime();
        boolean yields = false;
        for (int turn = 1; !waiter.isDone(); turn++) {
            if (hub.sleep().mayPoll() && hub.tryOwn()) {
                spinOwning(finishing, mostNs - (System.nanoTime() - beganNs), patience.mostNs(), Spinner.PROGRAM);
                return waiter.isDone();
            }
            if (turn % POLLS_PER_CLOCK == 0) {
                long spentNs = System.nanoTime() - beganNs;
                if (spentNs >= mostNs
                        || hub.isClosed()
                        || Thread.currentThread().isInterrupted()) {
                    break;
                }
                yields = spentNs >= patience.withoutPauseNs();
            }
            if (yields) {
                Thread.yield();
            } else {
                Thread.onSpinWait();
            }
        }
        return waiter.isDone();
    }

    /// A thread has slept.
    void onSlept(long timeNs) {
        patience.onSlept(timeNs);
    }

    /// As the thread of the hub: for as long as something comes, and no thread of the program wants to poll. It would
    /// have to wait for this one, and on a machine with few processors for one of them, too. True when there is one.
    boolean spinForAll() {
        if (!hub.tryOwn()) {
            return true;
        }
        try {
            spinAsOwner(NOTHING, Long.MAX_VALUE, patience.mostNs(), Spinner.LIBRARY);
        } finally {
            hub.disown();
        }
        return isWanted();
    }

    private boolean isWanted() {
        return (int) WANTED.getOpaque(this) != 0;
    }

    /// @param longestNs how long in all
    /// @param mostNs how long without anything that comes
    private Object spinAsOwner(Hub.Source source, long longestNs, long mostNs, Spinner spinner) {
        Object taken = source.tryTake();
        if (taken != null) {
            return taken;
        }
        boolean isShort = mostNs <= 0 || longestNs <= 0;
        long beganNs = 0;
        long idleSinceNs = 0;
        boolean yields = false;
        for (int polls = 1; hub.sleep().mayPoll(); polls++) {
            boolean came = hub.poll() > 0;
            hub.executeLeft();
            if (came) {
                patience.onCame();
                taken = source.tryTake();
                if (taken != null || spinner == Spinner.PROGRAM_VIRTUALLY) {
                    return taken;
                }
                polls = 0; // for others: the time without anything begins anew, that of the caller does not
                yields = false;
            }
            if (isShort || hub.isClosed() || spinner == Spinner.LIBRARY && isWanted()) {
                break;
            }
            if (polls % POLLS_PER_CLOCK == 0) {
                long nowNs = System.nanoTime();
                beganNs = beganNs == 0 ? nowNs : beganNs;
                idleSinceNs = polls <= POLLS_PER_CLOCK ? nowNs : idleSinceNs;
                long idleNs = nowNs - idleSinceNs;
                yields = idleNs >= patience.withoutPauseNs();
                if (idleNs >= mostNs
                        || nowNs - beganNs >= longestNs
                        || Thread.currentThread().isInterrupted()) {
                    break;
                }
            }
            if (yields) {
                Thread.yield();
            } else if (!came) {
                Thread.onSpinWait();
            }
        }
        return source.tryTake();
    }
}
