package io.verbena.endpoint;

import io.verbena.verbs.Context;
import io.verbena.verbs.Errno;
import io.verbena.verbs.RdmaException;
import io.verbena.verbs.attr.Access;
import io.verbena.verbs.cm.CmEvent;
import io.verbena.verbs.cm.ConnectionId;
import io.verbena.verbs.cm.EventChannel;
import io.verbena.verbs.cm.PortSpace;
import java.lang.foreign.MemorySegment;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/// A server: takes connections, and lets its clients use the memory that it exports. Made by [Endpoint#listen].
public final class EndpointServer implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger(EndpointServer.class.getName());
    private static final Duration LONG_SLEEP = Duration.ofHours(1);
    private static final long LONGEST_END_MS = 10_000;
    /// How many connections have room in a hub after the first one.
    private static final int LEAST_MORE = 16;

    private final EndpointOptions options;
    private final EventChannel channel;
    private final ConnectionId listener;
    private final Exports exports = new Exports();
    /// Connections that nobody has asked for yet; empty ones when the server is closed.
    private final LinkedBlockingQueue<Optional<ConnectionLink>> accepted = new LinkedBlockingQueue<>();
    private final Set<ConnectionLink> open = ConcurrentHashMap.newKeySet();

    /// Those of them that the program knows.
    private final Set<ConnectionLink> established = ConcurrentHashMap.newKeySet();

    private final CountDownLatch ended = new CountDownLatch(1);

    /// The last one of each device that clients came by. Of the thread, and of close after it, as is the next.
    private final Map<Context, HubResources> hubs = new IdentityHashMap<>();

    private final List<HubResources> allHubs = new ArrayList<>();

    /// Connections whose clients have not confirmed yet. Of the thread.
    private final Map<ConnectionId, ConnectionLink> links = new ConcurrentHashMap<>();

    private volatile boolean closed;

    /// Whether all connections are closed, too, so that no more events are needed.
    private volatile boolean isOver;

    private final AtomicBoolean closing = new AtomicBoolean();
    private final CountDownLatch isClosed = new CountDownLatch(1);

    EndpointServer(String address, int port, EndpointOptions options) {
        this.options = options;
        InetSocketAddress local = new InetSocketAddress(Connector.address(address), port);
        channel = options.connectionManager().createEventChannel();
        ConnectionId id = null;
        try {
            id = options.connectionManager().createId(channel, PortSpace.TCP);
            id.bind(local);
            if (!local.getAddress().isAnyLocalAddress()) {
                hub(id.context(), local.getAddress());
            }
            id.listen(0);
        } catch (RuntimeException e) {
            if (id != null) {
                id.close();
            }
            closeHubs();
            channel.close();
            throw e;
        }
        listener = id;
        options.threads().start(Thread.ofPlatform().daemon().name("verbena-endpoint-server-" + port()), this::run);
    }

    /// The port that it listens on.
    public int port() {
        return listener.localAddress().getPort();
    }

    /// How many connections are open.
    public int connections() {
        return open.size();
    }

    /// Lets clients use memory under a name, until the export or the server is closed. The memory must be native and
    /// open
    /// to all threads.
    public Export export(String name, MemorySegment memory, Access... rights) {
        return exports.export(name, memory, rights);
    }

    // ---- connections ----

    /// Waits for the next connection, which the caller closes; null when the time is over.
    ///
    /// @throws RdmaException `EBADF` when the server is closed, `EINTR` when the thread is interrupted
    public Connection accept(Duration timeout) {
        try {
            Optional<ConnectionLink> next = accepted.poll(ConnectionLink.nanoseconds(timeout), TimeUnit.NANOSECONDS);
            if (next == null) {
                return null;
            }
            if (next.isEmpty()) {
                accepted.add(next); // for the next thread
                throw new RdmaException("accept", Errno.EBADF, "the server is closed");
            }
            return next.get().connection();
        } catch (InterruptedException e) {
            throw new RdmaException("accept", Errno.EINTR, "the waiting thread was interrupted", e);
        }
    }

    /// Serves each connection in a virtual thread of its own, and closes it when the handler returns. Returns when the
    /// server is closed or the thread is interrupted. A handler that throws ends its connection only.
    public void serve(Consumer<Connection> handler) {
        Objects.requireNonNull(handler, "the handler is null");
        takeAll(connection -> options.threads()
                .start(Thread.ofVirtual().name("connection " + connection.peer()), () -> handle(handler, connection)));
    }

    private void takeAll(Consumer<Connection> taker) {
        while (!closed) {
            Connection next;
            try {
                next = accept(LONG_SLEEP);
            } catch (RdmaException e) {
                if (e.errno() == Errno.EINTR) {
                    Thread.currentThread().interrupt();
                }
                return;
            }
            if (next != null) {
                taker.accept(next);
            }
        }
    }

    /// Lets a handler serve all connections, with one thread of the library for each device, and further ones
    /// where a device has more connections than its queues have room for. Returns when the server is closed or the
    /// thread is interrupted.
    public void handle(ConnectionHandler handler) {
        Objects.requireNonNull(handler, "the handler is null");
        takeAll(connection -> {
            ConnectionLink link = connection.link();
            link.handle(
                    handler,
                    true,
                    () -> options.threads()
                            .start(
                                    Thread.ofVirtual().name("end of " + link.peer()),
                                    () -> handle(c -> {}, connection)));
        });
    }

    private void handle(Consumer<Connection> handler, Connection connection) {
        try (connection) {
            handler.accept(connection);
        } catch (RuntimeException e) {
            // A server that is closed ends the waits of its handlers.
            System.Logger.Level level = closed ? System.Logger.Level.DEBUG : System.Logger.Level.WARNING;
            LOG.log(level, () -> connection + ": " + e.getMessage(), e);
        }
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
                if (!closed) {
                    CmEvent failed = event;
                    LOG.log(System.Logger.Level.WARNING, () -> "event " + failed + ": " + e.getMessage(), e);
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
        String peer = String.valueOf(id.peerAddress());
        try {
            Handshake offers = Handshake.decode(event.privateData());
            if (open.size() >= options.mostConnections()) {
                throw new IllegalArgumentException(
                        "the server has %d connections, the most that it accepts; try later".formatted(open.size()));
            }
            accept(id, offers);
        } catch (RuntimeException e) {
            EndpointEvents.refused(peer, e.getMessage());
            refuse(id, e.getMessage());
        }
    }

    private void accept(ConnectionId id, Handshake offers) {
        HubResources hub = reserve(id.context(), id.localAddress().getAddress());
        try {
            QueuePairs.create(id, hub, options);
            ConnectionLink[] link = new ConnectionLink[1];
            link[0] = new ConnectionLink(
                    options, hub, id, hub.receiveBuffers(), offers, exports, () -> onClosed(link[0], id, hub));
            links.put(id, link[0]);
            open.add(link[0]);
            if (closed) {
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
            LOG.log(System.Logger.Level.DEBUG, () -> "the client that was refused is gone: " + gone.getMessage());
        } finally {
            id.close();
        }
    }

    private void onEstablished(ConnectionLink link) {
        if (link != null) {
            established.add(link);
            EndpointEvents.connected(link, true);
            accepted.add(Optional.of(link));
        }
    }

    private void onEnd(CmEvent event) {
        ConnectionLink link = links.get(event.id());
        if (link != null) {
            link.onDisconnected(event.explanation());
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

    private HubResources hub(Context context, InetAddress address) {
        HubResources hub = hubs.get(context);
        return hub == null ? open(context, address, 1) : hub;
    }

    private HubResources open(Context context, InetAddress address, int connections) {
        HubResources hub = HubResources.open(address, options, true, connections);
        allHubs.add(hub);
        hub.hub().sleep().watch(); // clients ask for exports while no thread of the server waits
        hubs.put(context, hub);
        exports.addDomain(hub.protectionDomain());
        return hub;
    }

    /// Room for a connection. Queues have a longest length, and not all devices can make them longer: then there are
    /// several hubs for a device.
    private HubResources reserve(Context context, InetAddress address) {
        HubResources hub = hub(context, address);
        if (!hub.reserve()) {
            hub = open(context, address, Math.max(LEAST_MORE, 2 * hub.connections()));
            QueuePairs.reserve(hub, options);
        }
        return hub;
    }

    private void closeHubs() {
        for (HubResources hub : allHubs) {
            try {
                hub.close();
            } catch (RuntimeException e) {
                EndpointEvents.failed("closing a device of the server", e);
            }
        }
    }

    /// Stops listening, ends all connections in good order, and revokes the exports. Closing twice is fine.
    ///
    /// @throws io.verbena.verbs.RdmaException when messages did not arrive
    @Override
    public void close() {
        if (closing.getAndSet(true)) {
            awaitClosed();
            return;
        }
        closed = true;
        try {
            accepted.add(Optional.empty());
            listener.close();
            closeConnections();
        } finally {
            isOver = true;
            channel.close();
            join();
            exports.close();
            closeHubs();
            isClosed.countDown();
        }
    }

    /// All at once, because each waits for its client.
    private void closeConnections() {
        Queue<RuntimeException> problems = new ConcurrentLinkedQueue<>();
        Set<ConnectionLink> all = Set.copyOf(open);
        for (ConnectionLink link : all) {
            options.threads().start(Thread.ofVirtual().name("end of " + link.peer()), () -> {
                try {
                    link.ending().close();
                } catch (RuntimeException e) {
                    problems.add(e);
                }
            });
        }
        all.forEach(link -> link.ending().awaitClosed());
        if (!problems.isEmpty()) {
            throw problems.peek();
        }
    }

    private void awaitClosed() {
        try {
            if (!isClosed.await(LONGEST_END_MS, TimeUnit.MILLISECONDS)) {
                LOG.log(System.Logger.Level.WARNING, "the server is being closed by another thread, and still is not");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void join() {
        try {
            if (!ended.await(LONGEST_END_MS, TimeUnit.MILLISECONDS)) {
                LOG.log(System.Logger.Level.WARNING, "the thread of the server does not end");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
