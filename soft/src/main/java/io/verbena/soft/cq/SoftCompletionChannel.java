package io.verbena.soft.cq;

import io.verbena.soft.engine.Engine;
import io.verbena.soft.wait.SoftEventSource;
import io.verbena.verbs.CompletionChannel;
import io.verbena.verbs.CompletionQueue;
import io.verbena.verbs.spi.ResourceTree;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.stream.Stream;

/// A completion channel of the software device.
public final class SoftCompletionChannel extends SoftEventSource<CompletionQueue> implements CompletionChannel {
    private final QueueContext context;
    private final ResourceTree queues = new ResourceTree();
    private volatile List<Engine> engines = List.of();

    public SoftCompletionChannel(QueueContext context) {
        super("wait for a completion event");
        this.context = context;
    }

    /// False when the channel is closed.
    boolean attach(SoftCompletionQueue queue) {
        return queues.tryAdd(queue);
    }

    /// The engine of its queues; null when they have none yet.
    Engine engine() {
        List<Engine> present = engines;
        return present.isEmpty() ? null : present.getFirst();
    }

    /// A queue of the channel belongs to that engine.
    synchronized void addEngine(Engine engine) {
        if (!engines.contains(engine)) {
            engines = Stream.concat(engines.stream(), Stream.of(engine)).toList();
        }
    }

    /// A closed queue must not be returned by the channel any more.
    void detach(SoftCompletionQueue queue) {
        queues.remove(queue);
        removeIf(fired -> fired == queue);
    }

    @Override
    public QueueContext context() {
        return context;
    }

    @Override
    public CompletionQueue await(Duration timeout) {
        return awaitEvent(timeout);
    }

    @Override
    protected Collection<Engine> engines() {
        return engines.isEmpty() ? List.of(context.engines().first()) : engines;
    }

    @Override
    public synchronized void close() {
        if (isClosed()) {
            return;
        }
        queues.seal("close completion channel");
        super.close();
        context.forget(this);
    }

    @Override
    public String toString() {
        return "completion channel";
    }
}
