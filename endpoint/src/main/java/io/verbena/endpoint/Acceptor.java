package io.verbena.endpoint;

import io.verbena.verbs.Errno;
import io.verbena.verbs.RdmaException;
import io.verbena.verbs.cm.CmEvent;
import io.verbena.verbs.cm.ConnectionId;
import io.verbena.verbs.cm.EventChannel;
import java.time.Duration;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

/// The thread of a server that gets the events of the connection manager: accepts or refuses clients, and notices when
/// they leave.
final class Acceptor {
    private static final Duration LONG_SLEEP = Duration.ofHours(1);
    private static final long LONGEST_END_MS = 10_000;
    private static final long PAUSE_NS = 1_000_000;
    private static final long FAILURE_PAUSE_NS = 100_000_000;

    private final EndpointOptions options;
    private final EventChannel channel;
    private final ServerHubs hubs;
    private final Exports exports;
    private final Consumer<ConnectionLink> onConnected;
    private final Set<ConnectionLink> open = ConcurrentHashMap.newKeySet();

    /// Those of them that the program knows.
    private final Set<ConnectionLink> established = ConcurrentHashMap.newKeySet();

    private final Map<ConnectionId, ConnectionLink> links = new ConcurrentHashMap<>();
    private final CountDownLatch ended = new CountDownLatch(1);
    private volatile boolean isClosing;

    /// Whether all connections are closed, too, so that no more events are needed.
    private volatile boolean isOver;

    /// @param onConnected gets each connection that is ready
    Acceptor(
            EndpointOptions options,
            EventChannel channel,
            ServerHubs hubs,
            Exports exports,
            Consumer<ConnectionLink> onConnected) {
        this.options = options;
        this.channel = channel;
        this.hubs = hubs;
        this.exports = exports;
        this.onConnected = onConnected;
    }

    void start(int port) {
        options.threads().start(Thread.ofPlatform().daemon().name("verbena-endpoint-server-" + port), this::run);
    }

    /// How many connections are open.
    int connections() {
        return open.size();
    }

    // ---- the connection manager's events ----

    private void run() {
        while (!isOver) {
            CmEvent event = null;
            try {
                event = channel.await(LONG_SLEEP);
                if (event != null) {
                    onEvent(event);
                }
            } catch (RuntimeException e) {
                if (!isClosing) {
                    EndpointEvents.failed(event == null ? "wait for clients" : "event " + event, e);
                    LockSupport.parkNanos(this, FAILURE_PAUSE_NS); // what lasts must not fill the log
                }
            }
        }
        ended.countDown();
    }

    private void onEvent(CmEvent event) {
        switch (event.type()) {
            case CONNECT_REQUEST -> onRequest(event);
            case ESTABLISHED -> onEstablished(links.get(event.id()));
            case DISCONNECTED, CONNECT_ERROR, UNREACHABLE, REJECTED, DEVICE_REMOVAL -> onEnd(event);
            default -> {}
        }
    }

    private void onRequest(CmEvent event) {
        ConnectionId id = event.id();
        try {
            Handshake offers = Handshake.decode(event.privateData());
            if (open.size() >= options.mostConnections()) {
                throw new IllegalArgumentException(
                        "the server has %d connections, the most that it accepts; try later".formatted(open.size()));
            }
            accept(id, offers);
        } catch (RuntimeException e) {
            EndpointEvents.refused(ConnectionLink.peer(id), e.getMessage());
            refuse(id, e.getMessage());
        }
    }

    private void accept(ConnectionId id, Handshake offers) {
        HubResources hub = hubs.reserve(id.context(), id.localAddress().getAddress());
        try {
            QueuePairs.create(id, hub, options);
            ConnectionLink[] link = new ConnectionLink[1];
            link[0] = new ConnectionLink(
                    options, hub, id, hub.receiveBuffers(), offers, exports, () -> onClosed(link[0], id, hub));
            hub.hub().add(link[0].arrivals());
            links.put(id, link[0]);
            open.add(link[0]);
            if (isClosing) {
                throw new IllegalStateException("the server is being closed");
            }
            id.accept(QueuePairs.parameters(options));
        } catch (RuntimeException e) {
            ConnectionLink begun = links.remove(id);
            if (begun == null) {
                hub.release();
            } else {
                begun.ending().abandon();
            }
            throw e;
        }
    }

    private static void refuse(ConnectionId id, String reason) {
        try {
            id.reject(Handshake.encodeReason(String.valueOf(reason)));
        } catch (RdmaException gone) {
            EndpointEvents.closed(ConnectionLink.peer(id), gone.getMessage());
        } finally {
            id.close();
        }
    }

    private void onEstablished(ConnectionLink link) {
        if (link != null) {
            established.add(link);
            EndpointEvents.connected(link, true);
            onConnected.accept(link);
        }
    }

    private void onEnd(CmEvent event) {
        ConnectionLink link = links.get(event.id());
        if (link != null) {
            link.loss().onDisconnected(event.explanation());
            if (!established.contains(link)) {
                // The client gave up before it confirmed: the program does not know this connection.
                link.ending().abandon();
            }
        }
    }

    private void onClosed(ConnectionLink link, ConnectionId id, HubResources hub) {
        links.remove(id);
        open.remove(link);
        established.remove(link);
        hub.release();
    }

    // ---- the end ----

    /// Clients that come from now on are refused.
    void refuseAll() {
        isClosing = true;
    }

    /// Ends the thread, after all connections were closed.
    void end() {
        closeChannel();
        await(ended, "its thread does not end");
    }

    /// The thread of events may be refusing a client at this moment, and closes its id then.
    private void closeChannel() {
        long beganNs = System.nanoTime();
        try {
            while (!tryCloseChannel(System.nanoTime() - beganNs > LONGEST_END_MS * 1_000_000)) {
                LockSupport.parkNanos(this, PAUSE_NS);
            }
        } finally {
            isOver = true;
        }
    }

    private boolean tryCloseChannel(boolean isLast) {
        try {
            channel.close();
            return true;
        } catch (RdmaException e) {
            if (isLast || e.errno() != Errno.EBUSY) {
                throw e;
            }
            return false;
        }
    }

    /// All at once, because each waits for its client.
    void closeConnections() {
        Queue<RuntimeException> problems = new ConcurrentLinkedQueue<>();
        Set<ConnectionLink> all = Set.copyOf(open);
        CountDownLatch told = new CountDownLatch(all.size());
        for (ConnectionLink link : all) {
            options.threads().start(Thread.ofVirtual().name("end of " + link.peer()), () -> {
                try {
                    link.ending().close();
                } catch (RuntimeException e) {
                    if (link.ending().isLeaveOfPeer(e)) {
                        EndpointEvents.closed(link.peer(), e.getMessage());
                    } else {
                        problems.add(e);
                    }
                } finally {
                    told.countDown();
                }
            });
        }
        all.forEach(link -> link.ending().awaitClosed());
        await(told, "the end of a connection is not told");
        if (!problems.isEmpty()) {
            throw problems.peek();
        }
    }

    private static void await(CountDownLatch latch, String problem) {
        try {
            if (!latch.await(LONGEST_END_MS, TimeUnit.MILLISECONDS)) {
                EndpointEvents.failed("close the server", problem);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
