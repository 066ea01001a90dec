package io.verbena.soft.wait;

import io.verbena.soft.engine.Engine;
import io.verbena.verbs.Errno;
import io.verbena.verbs.Pollable;
import io.verbena.verbs.Poller;
import io.verbena.verbs.RdmaException;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CopyOnWriteArraySet;

/// Waits on several channels of software devices.
public final class SoftPoller implements Poller {
    private final List<WaitSource> sources = new CopyOnWriteArrayList<>();
    /// One for each thread that waits.
    private final Set<Waiter> waiters = new CopyOnWriteArraySet<>();

    private volatile boolean closed;

    public SoftPoller() {}

    @Override
    public Poller add(Pollable pollable) {
        WaitSource source = source("add to poller", pollable);
        if (!sources.contains(source)) {
            sources.add(source);
            waiters.forEach(source::addWaiter);
        }
        return this;
    }

    @Override
    public Poller remove(Pollable pollable) {
        WaitSource source = source("remove from poller", pollable);
        sources.remove(source);
        waiters.forEach(source::removeWaiter);
        return this;
    }

    private static WaitSource source(String verb, Pollable pollable) {
        if (pollable instanceof WaitSource source) {
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
        for (WaitSource source : sources) {
            engines.addAll(source.engines());
        }
        Waiter waiter = new Waiter();
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
        for (WaitSource source : sources) {
            if (source.isClosed()) {
                return true;
            }
        }
        return false;
    }

    private int countReady() {
        int ready = 0;
        for (WaitSource source : sources) {
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
