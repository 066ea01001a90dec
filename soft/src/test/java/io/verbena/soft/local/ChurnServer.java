package io.verbena.soft.local;

import io.verbena.soft.SoftProvider;
import io.verbena.verbs.CompletionQueue;
import io.verbena.verbs.MemoryRegion;
import io.verbena.verbs.QueuePair;
import io.verbena.verbs.QueuePairOptions;
import io.verbena.verbs.attr.Access;
import io.verbena.verbs.attr.CompletionStatus;
import io.verbena.verbs.cm.CmEvent;
import io.verbena.verbs.cm.ConnectionId;
import io.verbena.verbs.cm.EventChannel;
import io.verbena.verbs.cm.PortSpace;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/// Accepts clients that connect and disconnect: one thread polls the completion queue of all of them, another one waits
/// for events. Both count interrupts, of which there must be none.
final class ChurnServer implements AutoCloseable {
    private static final Duration LOOK = Duration.ofMillis(500);
    private static final int BYTES = 4096;
    private static final long PAUSE_NS = 1_000_000;

    private final EventChannel channel = new SoftProvider().connectionManager().createEventChannel();
    private final ConnectionId listener;
    private final CompletionQueue cq;
    private final MemoryRegion memory;
    final AtomicInteger received = new AtomicInteger();
    final AtomicInteger interrupts = new AtomicInteger();
    final Queue<Throwable> failures = new ConcurrentLinkedQueue<>();
    private final Queue<ConnectionId> open = new ConcurrentLinkedQueue<>();
    private final Thread poller;
    private final Thread waiter;
    private volatile boolean ended;

    ChurnServer(InetAddress own) {
        listener = new SoftProvider().connectionManager().createId(channel, PortSpace.TCP);
        listener.bind(new InetSocketAddress(own, 0));
        listener.listen(0);
        cq = listener.context().createCompletionQueue(8192);
        memory = listener.protectionDomain().allocate(BYTES, Access.LOCAL_WRITE);
        poller = Thread.ofPlatform().name("poller").start(() -> loop(this::poll));
        waiter = Thread.ofPlatform().name("waiter").start(() -> loop(this::take));
    }

    InetSocketAddress address() {
        return listener.localAddress();
    }

    private void loop(Runnable step) {
        while (!ended) {
            try {
                step.run();
            } catch (RuntimeException | Error e) {
                // An EINTR among them.
                failures.add(e);
            }
            interrupts.addAndGet(Thread.interrupted() ? 1 : 0);
        }
    }

    private void poll() {
        cq.poll(completion -> received.addAndGet(completion.status() == CompletionStatus.SUCCESS ? 1 : 0), 16);
    }

    private void take() {
        CmEvent event = channel.await(LOOK);
        if (event == null) {
            return;
        }
        ConnectionId id = event.id();
        switch (event.type()) {
            case CONNECT_REQUEST -> {
                QueuePair qp = id.createQueuePair(listener.protectionDomain(), QueuePairOptions.rc(cq));
                open.add(id);
                qp.post(qp.newReceiveRequest().into(memory, 0, BYTES));
                id.accept(null);
            }
            case DISCONNECTED -> end(id);
            case ESTABLISHED, TIMEWAIT_EXIT -> {}
            default -> failures.add(new AssertionError(event));
        }
    }

    private void end(ConnectionId id) {
        open.remove(id);
        id.queuePair().close();
        id.close();
    }

    @Override
    public void close() {
        ended = true;
        while (poller.isAlive() || waiter.isAlive()) {
            LockSupport.parkNanos(PAUSE_NS);
        }
        open.forEach(this::end);
        memory.close();
        cq.close();
        listener.close();
        channel.close();
    }
}
