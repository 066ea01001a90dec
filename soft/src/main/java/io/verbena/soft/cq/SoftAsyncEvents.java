package io.verbena.soft.cq;

import io.verbena.soft.engine.Engine;
import io.verbena.soft.wait.EventSource;
import io.verbena.verbs.AsyncEvent;
import io.verbena.verbs.AsyncEventChannel;
import io.verbena.verbs.attr.AsyncEventType;
import java.time.Duration;
import java.util.Collection;
import java.util.List;

/// A context's asynchronous events.
public final class SoftAsyncEvents extends EventSource<AsyncEvent> implements AsyncEventChannel {
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
        events.put(new AsyncEvent(type, source, port));
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
    public Collection<Engine> engines() {
        return List.of(context.engine());
    }
}
