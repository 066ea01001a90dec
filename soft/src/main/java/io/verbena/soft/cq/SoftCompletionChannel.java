package io.verbena.soft.cq;

import io.verbena.soft.EventQueue;
import io.verbena.soft.SoftContext;
import io.verbena.soft.SoftPoller;
import io.verbena.soft.WaitSource;
import io.verbena.soft.Waiter;
import io.verbena.soft.engine.Engine;
import io.verbena.verbs.CompletionChannel;
import io.verbena.verbs.CompletionQueue;
import io.verbena.verbs.Poller;
import io.verbena.verbs.spi.ResourceTree;
import java.time.Duration;
import java.util.Collection;
import java.util.List;

/// A completion channel of the software device.
public final class SoftCompletionChannel implements CompletionChannel, WaitSource {
    private final SoftContext context;
    private final ResourceTree queues = new ResourceTree();
    private final EventQueue<CompletionQueue> events;

    public SoftCompletionChannel(SoftContext context) {
        this.context = context;
        this.events = new EventQueue<>("wait for a completion event", () -> List.of(context.engine()));
    }

    void attach(SoftCompletionQueue queue) {
        queues.add(queue);
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
    public SoftContext context() {
        return context;
    }

    @Override
    public CompletionQueue await(Duration timeout) {
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

    @Override
    public void close() {
        if (events.isClosed()) {
            return;
        }
        queues.requireNone("close completion channel");
        events.close();
        context.forget(this);
    }

    @Override
    public String toString() {
        return "completion channel";
    }
}
