package io.verbena.soft.wait;

import io.verbena.soft.engine.Engine;
import io.verbena.verbs.Errno;
import io.verbena.verbs.Pollable;
import io.verbena.verbs.Poller;
import io.verbena.verbs.RdmaException;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CopyOnWriteArraySet;

/// Waits on several channels of software devices.
public final class SoftPoller implements Poller {
    private final List<SoftEventSource<?>> sources = new CopyOnWriteArrayList<>();
    /// One for each thread that waits.
    private final Set<Waiter> waiters = new CopyOnWriteArraySet<>();

    private volatile boolean closed;

    @Override
    public Poller add(Pollable pollable) {
        SoftEventSource<?> source = source("add to poller", pollable);
        if (!sources.contains(source)) {
            sources.add(source);
            waiters.forEach(source::addWaiter);
        }
        return this;
    }

    @Override
    public Poller remove(Pollable pollable) {
        SoftEventSource<?> source = source("remove from poller", pollable);
        sources.remove(source);
        waiters.forEach(source::removeWaiter);
        return this;
    }

    private static SoftEventSource<?> source(String verb, Pollable pollable) {
        if (Objects.requireNonNull(pollable, "the channel is null").unwrap() instanceof SoftEventSource<?> source) {
            return source;
        }
        throw new RdmaException(
                verb,
                Errno.EINVAL,
                pollable + " is not of a software device; a poller waits for channels of one provider");
    }

    @Override
    public int await(Duration timeout) {
        Set<Engine> engines = new LinkedHashSet<>();
        for (SoftEventSource<?> source : sources) {
            engines.addAll(source.engines());
        }
        Waiter waiter = new Waiter("poll");
        waiters.add(waiter);
        sources.forEach(source -> source.addWaiter(waiter));
        try {
            waiter.await(
                    () -> closed || hasClosedSource() || countReady() > 0,
                    Waiter.nanoseconds(timeout),
                    engines.toArray(Engine[]::new));
        } finally {
            sources.forEach(source -> source.removeWaiter(waiter));
            waiters.remove(waiter);
        }
        if (closed || hasClosedSource()) {
            String what = closed ? "the poller" : "a channel of the poller";
            throw new RdmaException("poll", Errno.EBADF, what + " is closed");
        }
        return countReady();
    }

    private boolean hasClosedSource() {
        for (SoftEventSource<?> source : sources) {
            if (source.isClosed()) {
                return true;
            }
        }
        return false;
    }

    private int countReady() {
        int ready = 0;
        for (SoftEventSource<?> source : sources) {
            ready += source.hasEvent() ? 1 : 0;
        }
        return ready;
    }

    @Override
    public void close() {
        closed = true;
        waiters.forEach(Waiter::signal);
    }
}
