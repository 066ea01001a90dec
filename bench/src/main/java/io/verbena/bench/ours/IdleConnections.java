package io.verbena.bench.ours;

import io.verbena.verbs.CompletionQueue;
import io.verbena.verbs.MemoryRegion;
import io.verbena.verbs.QueuePair;
import io.verbena.verbs.QueuePairOptions;
import io.verbena.verbs.ReceiveRequest;
import io.verbena.verbs.attr.Access;
import io.verbena.verbs.cm.CmEvent;
import io.verbena.verbs.cm.CmEventType;
import io.verbena.verbs.cm.ConnectionId;
import io.verbena.verbs.cm.ConnectionManager;
import io.verbena.verbs.cm.ConnectionParameters;
import io.verbena.verbs.cm.EventChannel;
import io.verbena.verbs.cm.PortSpace;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;

/// One side of many connections that wait for messages: asynchronous ids on one event channel, with small queue pairs
/// and receives posted, one completion queue for all. Used by one thread.
final class IdleConnections implements AutoCloseable {
    /// Connects that may be under way at once.
    private static final int IN_FLIGHT = 64;

    private static final int QUEUE = 4;
    private static final int BYTES = 64;
    private static final Duration RESOLVE_LIMIT = Duration.ofSeconds(5);
    /// For opening or closing all: some time in any case, and for each a hundred times what it should take.
    private static final Duration LEAST_LIMIT = Duration.ofSeconds(20);

    private static final Duration LIMIT_EACH = Duration.ofMillis(20);

    private final ConnectionManager manager;
    private final EventChannel channel;
    private final Set<ConnectionId> ids = new HashSet<>();
    private ConnectionId listener;
    private CompletionQueue cq;
    private MemoryRegion region;
    private int established;

    IdleConnections(ConnectionManager manager) {
        this.manager = manager;
        this.channel = manager.createEventChannel();
    }

    /// The limit for opening or closing `count` connections.
    static Duration limit(int count) {
        return LEAST_LIMIT.plus(LIMIT_EACH.multipliedBy(count));
    }

    /// Server: returns the address for [#connect].
    InetSocketAddress listen(InetSocketAddress home) {
        listener = manager.createId(channel, PortSpace.TCP);
        listener.bind(home);
        listener.listen(0);
        return listener.localAddress();
    }

    /// Server: takes that many connections.
    void accept(int count) {
        begin(listener, count);
        long endNs = System.nanoTime() + limit(count).toNanos();
        while (established < count) {
            handle(next(endNs, count));
        }
    }

    /// Client: opens that many connections.
    void connect(InetSocketAddress server, int count) {
        long endNs = System.nanoTime() + limit(count).toNanos();
        while (established < count) {
            while (ids.size() < Math.min(count, established + IN_FLIGHT)) {
                ConnectionId id = manager.createId(channel, PortSpace.TCP);
                ids.add(id);
                id.resolveAddress(null, server, RESOLVE_LIMIT);
                begin(id, count);
            }
            handle(next(endNs, count));
        }
    }

    /// Makes what all queue pairs share, once there is a device. All receives can be flushed at once.
    private void begin(ConnectionId id, int count) {
        if (cq == null && id.context() != null) {
            cq = id.context().createCompletionQueue(QUEUE * count);
            region = id.protectionDomain().allocate(BYTES, Access.LOCAL_WRITE);
        }
    }

    private CmEvent next(long endNs, int count) {
        CmEvent event = channel.await(Duration.ofNanos(Math.max(0, endNs - System.nanoTime())));
        if (event == null) {
            throw new IllegalStateException("only %d of %d connections were established within %d s"
                    .formatted(established, count, limit(count).toSeconds()));
        }
        return event;
    }

    private void handle(CmEvent event) {
        ConnectionId id = event.id();
        switch (event.type()) {
            case ADDRESS_RESOLVED -> id.resolveRoute(RESOLVE_LIMIT);
            case ROUTE_RESOLVED -> {
                makeQueuePair(id);
                id.connect(ConnectionParameters.DEFAULT);
            }
            case CONNECT_REQUEST -> {
                ids.add(id);
                makeQueuePair(id);
                id.accept(ConnectionParameters.DEFAULT);
            }
            case ESTABLISHED -> established++;
            case TIMEWAIT_EXIT -> {} // the end of a connection that is closed
            default ->
                throw new IllegalStateException(
                        established + " connections are established, and one failed: " + event.explain());
        }
    }

    private void makeQueuePair(ConnectionId id) {
        QueuePair qp =
                id.createQueuePair(QueuePairOptions.rc(cq).sendRequests(QUEUE).receiveRequests(QUEUE));
        ReceiveRequest receive = qp.newReceiveRequest().into(region, 0, BYTES);
        for (int i = 0; i < QUEUE; i++) {
            qp.post(receive);
        }
    }

    /// Client: closes all, which disconnects them. Fails when one ended before.
    void disconnectAll() {
        for (CmEvent event = channel.tryTake(); event != null; event = channel.tryTake()) {
            handle(event);
        }
        closeAll();
    }

    private void closeAll() {
        ids.forEach(ConnectionId::close);
        forget();
    }

    /// Server: waits until the client has disconnected all, and closes each as soon as that is known.
    void awaitDisconnects() {
        int count = ids.size();
        long endNs = System.nanoTime() + limit(count).toNanos();
        while (!ids.isEmpty()) {
            CmEvent event = channel.await(Duration.ofNanos(Math.max(0, endNs - System.nanoTime())));
            if (event == null) {
                throw new IllegalStateException("only %d of %d connections were disconnected within %d s"
                        .formatted(count - ids.size(), count, limit(count).toSeconds()));
            }
            if (event.type() == CmEventType.DISCONNECTED && event.status() == 0) {
                event.id().close();
                ids.remove(event.id());
            } else {
                handle(event);
            }
        }
        forget();
    }

    private void forget() {
        ids.clear();
        established = 0;
        if (cq != null) {
            cq.close();
            region.close();
            cq = null;
        }
    }

    @Override
    public void close() {
        closeAll();
        if (listener != null) {
            listener.close();
        }
        channel.close();
    }
}
