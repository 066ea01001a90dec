package io.verbena.endpoint;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/// A thread that waits for something a [Hub] brings. Only the owner of the hub finishes it; the thread itself may give
/// up at any moment.
abstract class Waiter implements Hub.Source {
    private static final int WAITING = 0;
    private static final int CLAIMED = 1;
    private static final int DONE = 2;
    private static final int CANCELLED = 3;

    private final AtomicInteger state = new AtomicInteger();
    private volatile Thread thread;

    /// Whether what is waited for is there. Called by the owner of the hub only.
    abstract boolean isReady();

    /// Takes what was waited for, after [#isReady] was true.
    void take() {}

    /// For a thread that is the owner itself.
    @Override
    public final Object tryTake() {
        if (!isReady()) {
            return null;
        }
        take();
        return this;
    }

    /// Enlists this waiter where it is finished later. Called by the owner of the hub, after [#isReady] was false.
    abstract void enlist();

    /// To be called before the waiter is enlisted.
    void waitIn(Thread waiting) {
        thread = waiting;
    }

    /// Finishes the wait if it can be. True when the waiter needs nothing more: it is finished or has given up.
    final boolean tryFinish() {
        if (isOver()) {
            return true;
        }
        if (!isReady() || !state.compareAndSet(WAITING, CLAIMED)) {
            return isOver();
        }
        take();
        state.set(DONE);
        LockSupport.unpark(thread);
        return true;
    }

    final boolean isDone() {
        return state.get() == DONE;
    }

    /// Whether it is finished, or has given up.
    final boolean isOver() {
        int now = state.get();
        return now == DONE || now == CANCELLED;
    }

    /// Gives up. False when it was finished before.
    final boolean cancel() {
        while (!state.compareAndSet(WAITING, CANCELLED)) {
            if (state.get() != CLAIMED) {
                return state.get() == CANCELLED;
            }
            Thread.onSpinWait(); // the owner is taking what was waited for
        }
        return true;
    }
}
