package io.verbena.soft.wait;

import io.verbena.soft.engine.Engine;
import io.verbena.verbs.Pollable;
import io.verbena.verbs.Poller;
import java.util.Collection;

/// A channel that hands out events of one kind: what completion channels, event channels and asynchronous
/// events share.
public abstract class EventSource<E> implements WaitSource, Pollable {
    protected final EventQueue<E> events;

    /// @param verb what a program that waits here is doing, for errors
    protected EventSource(String verb) {
        this.events = new EventQueue<>(verb, this::engines);
    }

    @Override
    public abstract Collection<Engine> engines();

    @Override
    public final boolean hasEvent() {
        return events.hasEvent();
    }

    @Override
    public final boolean isClosed() {
        return events.isClosed();
    }

    @Override
    public final boolean isReady() {
        return events.isReady();
    }

    @Override
    public final Poller newPoller() {
        return new SoftPoller();
    }

    @Override
    public final void addWaiter(Waiter waiter) {
        events.addWaiter(waiter);
    }

    @Override
    public final void removeWaiter(Waiter waiter) {
        events.removeWaiter(waiter);
    }
}
