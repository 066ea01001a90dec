package io.verbena.soft.cq;

import io.verbena.soft.engine.Engine;
import io.verbena.soft.wait.SoftEventSource;
import io.verbena.verbs.AsyncEvent;
import io.verbena.verbs.AsyncEventChannel;
import io.verbena.verbs.attr.AsyncEventType;
import java.time.Duration;
import java.util.Collection;
import java.util.List;

/// The asynchronous events of a context.
public final class SoftAsyncEvents extends SoftEventSource<AsyncEvent> implements AsyncEventChannel {
    private final QueueContext context;

    public SoftAsyncEvents(QueueContext context) {
        super("wait for an asynchronous event");
        this.context = context;
    }

    public void raise(AsyncEventType type, Object source) {
        raise(type, source, 0);
    }

    /// @param port where it happened, for events of a port; else 0
    public void raise(AsyncEventType type, Object source, int port) {
        put(new AsyncEvent(type, source, port));
    }

    /// Events of an object that is closed are dropped.
    public void forget(Object source) {
        removeIf(event -> event.source() == source);
    }

    @Override
    public AsyncEvent await(Duration timeout) {
        return awaitEvent(timeout);
    }

    @Override
    protected Collection<Engine> engines() {
        return List.of(context.engines().first());
    }
}
