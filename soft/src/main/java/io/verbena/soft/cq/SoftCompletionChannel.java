package io.verbena.soft.cq;

import io.verbena.soft.engine.Engine;
import io.verbena.soft.wait.EventSource;
import io.verbena.verbs.CompletionChannel;
import io.verbena.verbs.CompletionQueue;
import io.verbena.verbs.spi.ResourceTree;
import java.time.Duration;
import java.util.Collection;
import java.util.List;

/// A completion channel of the software device.
public final class SoftCompletionChannel extends EventSource<CompletionQueue> implements CompletionChannel {
    private final QueueContext context;
    private final ResourceTree queues = new ResourceTree();

    public SoftCompletionChannel(QueueContext context) {
        super("wait for a completion event");
        this.context = context;
    }

    /// False when the channel is closed.
    boolean attach(SoftCompletionQueue queue) {
        return queues.tryAdd(queue);
    }

    /// A closed queue must not come out of the channel any more.
    void detach(SoftCompletionQueue queue) {
        queues.remove(queue);
        events.removeIf(fired -> fired == queue);
    }

    void onEvent(SoftCompletionQueue queue) {
        events.put(queue);
    }

    @Override
    public QueueContext context() {
        return context;
    }

    @Override
    public CompletionQueue await(Duration timeout) {
        return events.await(timeout);
    }

    @Override
    public Collection<Engine> engines() {
        return List.of(context.engine());
    }

    @Override
    public synchronized void close() {
        if (events.isClosed()) {
            return;
        }
        queues.seal("close completion channel");
        events.close();
        context.forget(this);
    }

    @Override
    public String toString() {
        return "completion channel";
    }
}
