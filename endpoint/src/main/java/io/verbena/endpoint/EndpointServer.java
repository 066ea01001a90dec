package io.verbena.endpoint;

import io.verbena.verbs.Errno;
import io.verbena.verbs.RdmaException;
import io.verbena.verbs.attr.Access;
import io.verbena.verbs.cm.ConnectionId;
import io.verbena.verbs.cm.EventChannel;
import io.verbena.verbs.cm.PortSpace;
import java.lang.foreign.MemorySegment;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/// A server: takes connections, and lets its clients use the memory that it exports. Made by [Endpoint#listen].
public final class EndpointServer implements AutoCloseable {
    private static final Duration LONG_SLEEP = Duration.ofHours(1);
    private static final long LONGEST_END_MS = 10_000;

    private final EndpointOptions options;
    private final ConnectionId listener;
    private final Exports exports = new Exports();
    private final ServerHubs hubs;
    private final Acceptor acceptor;

    /// Connections that nobody has asked for yet; empty ones when the server is closed.
    private final LinkedBlockingQueue<Optional<ConnectionLink>> accepted = new LinkedBlockingQueue<>();
    private volatile boolean closed;
    private final AtomicBoolean closing = new AtomicBoolean();
    private final CountDownLatch isClosed = new CountDownLatch(1);

    EndpointServer(String address, int port, EndpointOptions options) {
        this.options = options;
        InetSocketAddress local = Addresses.of("listen at", address, port);
        hubs = new ServerHubs(options, exports);
        EventChannel channel = options.connectionManager().createEventChannel();
        ConnectionId id = null;
        try {
            id = options.connectionManager().createId(channel, PortSpace.TCP);
            id.bind(local);
            if (!local.getAddress().isAnyLocalAddress()) {
                hubs.of(id.context(), local.getAddress());
            }
            id.listen(0);
        } catch (RuntimeException e) {
            if (id != null) {
                id.close();
            }
            hubs.close();
            channel.close();
            throw e instanceof RdmaException refused ? refused(Addresses.text(local), refused) : e;
        }
        listener = id;
        acceptor = new Acceptor(options, channel, hubs, exports, link -> accepted.add(Optional.of(link)));
        acceptor.start(port());
    }

    private static RdmaException refused(String address, RdmaException e) {
        // A device can be taken, too, and then another port does not help.
        boolean isTaken = e.errno() == Errno.EADDRINUSE
                && (e.verb().startsWith("rdma_bind_addr") || e.verb().startsWith("rdma_listen"));
        String why = isTaken ? "another server has the port" : e.verb() + ": " + e.explanation();
        return new RdmaException(
                "listen at " + address,
                e.errnoNumber(),
                why + (isTaken ? "; close it, or choose another port (0 takes a free one)" : ""),
                e);
    }

    /// The port that it listens on.
    public int port() {
        return listener.localAddress().getPort();
    }

    /// How many connections are open.
    public int connections() {
        return acceptor.connections();
    }

    /// Lets clients use memory under a name, until the export or the server is closed. The memory must be native and
    /// open to all threads.
    public Export export(String name, MemorySegment memory, Access... rights) {
        return exports.export(name, memory, rights);
    }

    /// Allocates memory, all zeros, and lets clients use it under a name, until the export or the server is closed,
    /// which also ends the memory. The first choice for what processes of this host read: the software device shares
    /// such memory with them, so that they copy by themselves, and memory of a program it does not.
    ///
    /// @throws RdmaException `EAGAIN` when the server listens at all addresses and nobody has connected yet, `ENOMEM`
    ///     when there is too little memory
    public Export allocate(String name, long bytes, Access... rights) {
        return exports.allocate(name, bytes, rights);
    }

    // ---- connections ----

    /// Waits for the next connection, which the caller closes; null when the time is over.
    ///
    /// @throws RdmaException `EBADF` when the server is closed, `EINTR` when the thread is interrupted
    public Connection accept(Duration timeout) {
        try {
            Optional<ConnectionLink> next = accepted.poll(Waits.nanoseconds(timeout), TimeUnit.NANOSECONDS);
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
            link.arrivals()
                    .handle(
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
            try {
                handler.accept(connection);
            } catch (Throwable e) {
                boolean isExpected = isExpected(connection, e);
                tell(isExpected, connection, "the handler", e);
                connection.link().ending().close(!isExpected);
            }
        } catch (RuntimeException e) {
            tell(isExpected(connection, e), connection, "closing", e);
        }
    }

    private static void tell(boolean isExpected, Connection connection, String what, Throwable e) {
        if (isExpected) {
            EndpointEvents.closed(connection.peer(), e.getMessage());
        } else {
            EndpointEvents.failed(connection.peer(), what, e);
        }
    }

    /// A server that is closed ends the waits of its handlers, and clients may leave without receiving everything.
    private boolean isExpected(Connection connection, Throwable problem) {
        return closed && problem instanceof RuntimeException
                || connection.link().ending().isLeaveOfPeer(problem);
    }

    /// Stops listening, ends all connections in good order, and revokes the exports. Closing twice is fine. A client
    /// that has left without receiving everything is logged, for debugging; closing its [Connection] would say so.
    ///
    /// @throws io.verbena.verbs.RdmaException when messages did not arrive at a client that has not left
    @Override
    public void close() {
        if (closing.getAndSet(true)) {
            awaitClosed();
            return;
        }
        closed = true;
        try {
            accepted.add(Optional.empty());
            acceptor.refuseAll();
            listener.close();
            acceptor.closeConnections();
        } finally {
            try {
                acceptor.end();
            } finally {
                exports.close();
                hubs.close();
            }
            isClosed.countDown();
        }
    }

    private void awaitClosed() {
        try {
            if (!isClosed.await(LONGEST_END_MS, TimeUnit.MILLISECONDS)) {
                EndpointEvents.failed("close the server", "another thread closes it, and is not done");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public String toString() {
        return "server at " + Addresses.text(listener.localAddress());
    }
}
