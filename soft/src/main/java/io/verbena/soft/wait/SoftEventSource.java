package io.verbena.soft.wait;

import io.verbena.soft.engine.Engine;
import io.verbena.soft.os.NanoClock;
import io.verbena.verbs.Errno;
import io.verbena.verbs.Pollable;
import io.verbena.verbs.Poller;
import io.verbena.verbs.RdmaException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.concurrent.CopyOnWriteArraySet;
import java.util.function.Predicate;

/// A queue of events of one kind and the threads that wait for them, the base of completion channels, event channels
/// and asynchronous events. Any thread may put, take, wait and close.
public abstract class SoftEventSource<E> implements Pollable {
    private final String verb;
    private final ArrayDeque<E> events = new ArrayDeque<>();
    private final CopyOnWriteArraySet<Waiter> waiters = new CopyOnWriteArraySet<>();
    private volatile boolean ready;
    private volatile boolean closed;

    /// @param verb what a program that waits here is doing, for errors
    protected SoftEventSource(String verb) {
        this.verb = verb;
    }

    /// The engines whose work can bring events.
    protected abstract Collection<Engine> engines();

    public final void put(E event) {
        synchronized (events) {
            events.add(event);
            ready = true;
        }
        waiters.forEach(Waiter::signal);
    }

    /// The oldest event, or null.
    final E poll() {
        if (!ready) {
            return null;
        }
        synchronized (events) {
            E event = events.poll();
            ready = !events.isEmpty();
            return event;
        }
    }

    /// Removes events, for example those of closed objects.
    protected final void removeIf(Predicate<E> condition) {
        synchronized (events) {
            events.removeIf(condition);
            ready = !events.isEmpty();
        }
    }

    /// Waits at most that long for an event; null when the time is over.
    protected final E awaitEvent(Duration timeout) {
        E event = poll();
        if (event != null) {
            return event;
        }
        Waiter waiter = new Waiter(verb);
        addWaiter(waiter);
        try {
            Engine[] drivers = engines().toArray(Engine[]::new);
            NanoClock clock = Waiter.clock(drivers);
            long budgetNs = Waiter.nanoseconds(timeout);
            long startNs = clock.nowNs();
            while (true) {
                long leftNs = budgetNs - (clock.nowNs() - startNs);
                boolean woken = waiter.await(() -> ready || closed, leftNs, drivers);
                if (closed) {
                    throw new RdmaException(verb, Errno.EBADF, "the channel is closed");
                }
                event = poll();
                if (event != null || !woken) {
                    return event;
                }
            }
        } finally {
            removeWaiter(waiter);
        }
    }

    /// Wakes threads that wait; from now on waits fail with EBADF.
    public void close() {
        closed = true;
        waiters.forEach(Waiter::signal);
    }

    public final boolean isClosed() {
        return closed;
    }

    /// Whether there is an event to take, without running the engines first.
    final boolean hasEvent() {
        return ready;
    }

    /// Runs the engines first, so that a program that only calls this still makes progress.
    @Override
    public final boolean isReady() {
        if (!ready) {
            for (Engine engine : engines()) {
                engine.poll(true);
            }
        }
        return ready;
    }

    @Override
    public final Poller newPoller() {
        return new SoftPoller();
    }

    final void addWaiter(Waiter waiter) {
        waiters.add(waiter);
    }

    final void removeWaiter(Waiter waiter) {
        waiters.remove(waiter);
    }
}
