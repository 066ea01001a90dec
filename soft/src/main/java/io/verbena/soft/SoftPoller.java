package io.verbena.soft;

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

/// Waits on several channels of software devices.
public final class SoftPoller implements Poller {
    private final List<WaitSource> sources = new CopyOnWriteArrayList<>();
    private final Waiter waiter = new Waiter();
    private volatile boolean closed;

    public SoftPoller() {}

    @Override
    public Poller add(Pollable pollable) {
        WaitSource source = source("add to poller", pollable);
        if (!sources.contains(source)) {
            sources.add(source);
            source.addWaiter(waiter);
        }
        return this;
    }

    @Override
    public Poller remove(Pollable pollable) {
        WaitSource source = source("remove from poller", pollable);
        sources.remove(source);
        source.removeWaiter(waiter);
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
        waiter.await(() -> closed || countReady() > 0, Waiter.nanoseconds(timeout), engines.toArray(Engine[]::new));
        if (closed) {
            throw new RdmaException("poll", Errno.EBADF, "the poller is closed");
        }
        return countReady();
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
        for (WaitSource source : sources) {
            source.removeWaiter(waiter);
        }
        waiter.signal();
    }
}
