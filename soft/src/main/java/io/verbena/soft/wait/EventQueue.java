package io.verbena.soft.wait;

import io.verbena.soft.engine.Engine;
import io.verbena.soft.os.NanoClock;
import io.verbena.verbs.Errno;
import io.verbena.verbs.RdmaException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.concurrent.CopyOnWriteArraySet;
import java.util.function.Predicate;
import java.util.function.Supplier;

/// Events on their way to threads that wait for them: what completion channels, event channels and asynchronous
/// events have in common. Any thread may put, take, wait and close.
public final class EventQueue<E> {
    private final String verb;
    private final Supplier<Collection<Engine>> engines;
    private final ArrayDeque<E> events = new ArrayDeque<>();
    private final CopyOnWriteArraySet<Waiter> waiters = new CopyOnWriteArraySet<>();
    private volatile boolean ready;
    private volatile boolean closed;

    public EventQueue(String verb, Supplier<Collection<Engine>> engines) {
        this.verb = verb;
        this.engines = engines;
    }

    public void put(E event) {
        synchronized (events) {
            events.add(event);
            ready = true;
        }
        signalWaiters();
    }

    /// The oldest event, or null.
    public E poll() {
        if (!ready) {
            return null;
        }
        synchronized (events) {
            E event = events.poll();
            ready = !events.isEmpty();
            return event;
        }
    }

    /// Drops events that can no longer be meant for anybody.
    public void removeIf(Predicate<E> condition) {
        synchronized (events) {
            events.removeIf(condition);
            ready = !events.isEmpty();
        }
    }

    /// Waits at most that long for an event; null when the time is over.
    public E await(Duration timeout) {
        E event = poll();
        if (event != null) {
            return event;
        }
        Waiter waiter = new Waiter();
        addWaiter(waiter);
        try {
            Engine[] drivers = engines.get().toArray(Engine[]::new);
            NanoClock clock = Waiter.clock(drivers);
            long budgetNs = Waiter.nanoseconds(timeout);
            long startNs = clock.nowNs();
            while (true) {
                long leftNs = budgetNs - (clock.nowNs() - startNs);
                boolean woken = waiter.await(() -> ready || closed, leftNs, drivers);
                requireOpen();
                event = poll();
                if (event != null || !woken) {
                    return event;
                }
            }
        } finally {
            removeWaiter(waiter);
        }
    }

    private void requireOpen() {
        if (closed) {
            throw new RdmaException(verb, Errno.EBADF, "the channel is closed");
        }
    }

    public void close() {
        closed = true;
        signalWaiters();
    }

    public boolean isClosed() {
        return closed;
    }

    private void signalWaiters() {
        for (Waiter waiter : waiters) {
            waiter.signal();
        }
    }

    public boolean hasEvent() {
        return ready;
    }

    /// Lets the engines work first, so that a program that only looks here still makes progress.
    public boolean isReady() {
        if (!ready) {
            for (Engine engine : engines.get()) {
                engine.poll(true);
            }
        }
        return ready;
    }

    public void addWaiter(Waiter waiter) {
        waiters.add(waiter);
    }

    public void removeWaiter(Waiter waiter) {
        waiters.remove(waiter);
    }
}
