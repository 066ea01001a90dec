package io.verbena.soft.cq;

import io.verbena.soft.EventQueue;
import io.verbena.soft.SoftContext;
import io.verbena.soft.SoftPoller;
import io.verbena.soft.WaitSource;
import io.verbena.soft.Waiter;
import io.verbena.soft.engine.Engine;
import io.verbena.verbs.AsyncEvent;
import io.verbena.verbs.AsyncEventChannel;
import io.verbena.verbs.Poller;
import io.verbena.verbs.attr.AsyncEventType;
import java.time.Duration;
import java.util.Collection;
import java.util.List;

/// A context's asynchronous events.
public final class SoftAsyncEvents implements AsyncEventChannel, WaitSource {
    private final EventQueue<AsyncEvent> events;

    public SoftAsyncEvents(SoftContext context) {
        this.events = new EventQueue<>("wait for an asynchronous event", () -> List.of(context.engine()));
    }

    public void raise(AsyncEventType type, Object source) {
        events.put(new AsyncEvent(type, source, 0));
    }

    /// Events of an object that is closed are dropped.
    public void forget(Object source) {
        events.removeIf(event -> event.source() == source);
    }

    public void close() {
        events.close();
    }

    @Override
    public AsyncEvent await(Duration timeout) {
        return events.await(timeout);
    }

    @Override
    public boolean isReady() {
        return events.isReady();
    }

    @Override
    public Poller newPoller() {
        return new SoftPoller();
    }

    @Override
    public void addWaiter(Waiter waiter) {
        events.addWaiter(waiter);
    }

    @Override
    public void removeWaiter(Waiter waiter) {
        events.removeWaiter(waiter);
    }

    @Override
    public Collection<Engine> engines() {
        return events.engines();
    }
}
