package io.verbena.endpoint;

import io.verbena.verbs.Errno;
import io.verbena.verbs.QueuePair;
import io.verbena.verbs.RdmaException;
import io.verbena.verbs.cm.CmEvent;
import io.verbena.verbs.cm.CmEventType;
import io.verbena.verbs.cm.ConnectionId;
import io.verbena.verbs.cm.PortSpace;
import java.net.InetSocketAddress;
import java.time.Duration;

/// Connects to a server, in several attempts while nobody listens there.
final class Connector {
    private static final Duration FIRST_PAUSE = Duration.ofMillis(10);
    private static final Duration LONGEST_PAUSE = Duration.ofMillis(500);

    /// Nobody listens on the port.
    private static final int NO_SERVICE = 8;

    private final InetSocketAddress server;
    private final InetSocketAddress local;
    private final EndpointOptions options;

    private Connector(InetSocketAddress server, InetSocketAddress local, EndpointOptions options) {
        this.server = server;
        this.local = local;
        this.options = options;
    }

    static ConnectionLink connect(String host, int port, EndpointOptions options) {
        try {
            InetSocketAddress local =
                    options.localAddress() == null ? null : Addresses.of("connect from", options.localAddress(), 0);
            return new Connector(Addresses.of("connect to", host, port), local, options).connectInTime();
        } catch (RuntimeException e) {
            EndpointEvents.notConnected(Addresses.text(host, port), e.getMessage());
            throw e;
        }
    }

    private ConnectionLink connectInTime() {
        long startNs = System.nanoTime();
        long budgetNs = Waits.nanoseconds(options.connectTimeout());
        Duration pause = FIRST_PAUSE;
        RdmaException nobody = null;
        while (true) {
            try {
                return attempt(Duration.ofNanos(Math.max(1_000_000, budgetNs - (System.nanoTime() - startNs))));
            } catch (RdmaException e) {
                // The last attempt may get too little time for an answer. The answer before says more.
                throw nobody != null && e.errno() == Errno.ETIMEDOUT ? nobodyListens(nobody) : e;
            } catch (NobodyListensException e) {
                nobody = e.reason;
                if (!options.awaitServer() || System.nanoTime() - startNs + pause.toNanos() > budgetNs) {
                    throw nobodyListens(e.reason);
                }
                pause(pause);
                pause = pause.multipliedBy(2).compareTo(LONGEST_PAUSE) < 0 ? pause.multipliedBy(2) : LONGEST_PAUSE;
            }
        }
    }

    private RdmaException nobodyListens(RdmaException asItWas) {
        return new RdmaException(
                connecting(),
                Errno.ECONNREFUSED,
                options.awaitServer()
                        ? "nobody listened there within %s; start the server, check address and port, or wait longer (EndpointOptions.connectTimeout)"
                                .formatted(Waits.seconds(options.connectTimeout()))
                        : "nobody listens there; start the server first, or check address and port",
                asItWas);
    }

    private String connecting() {
        return "connect to " + Addresses.text(server);
    }

    private void pause(Duration time) {
        try {
            Thread.sleep(time);
        } catch (InterruptedException e) {
            throw new RdmaException(connecting(), Errno.EINTR, "the connecting thread was interrupted", e);
        }
    }

    private static final class NobodyListensException extends Exception {
        private static final long serialVersionUID = 1L;

        private final transient RdmaException reason;

        NobodyListensException(RdmaException reason) {
            super(reason);
            this.reason = reason;
        }
    }

    private ConnectionLink attempt(Duration left) throws NobodyListensException {
        ConnectionId id = options.connectionManager().createEndpoint(PortSpace.TCP, local, server, left);
        HubResources resources = null;
        try {
            id.timeout(left);
            resources = ClientHubs.reserve(id.context(), id.localAddress().getAddress(), options);
            return connect(id, resources);
        } catch (RuntimeException e) {
            CmEvent event = id.event();
            id.close();
            if (resources != null) {
                ClientHubs.release(resources);
            }
            if (event != null && event.type() == CmEventType.REJECTED) {
                throw rejected(event, e);
            }
            if (event != null && event.type() == CmEventType.UNREACHABLE && e instanceof RdmaException refused) {
                throw unreachable(event, refused);
            }
            throw e;
        }
    }

    /// Where no process of this host has the server's address open, nobody listens either.
    private RdmaException unreachable(CmEvent event, RdmaException refused) throws NobodyListensException {
        if (refused.errno() == Errno.ECONNREFUSED) {
            throw new NobodyListensException(refused);
        }
        return new RdmaException(
                connecting(),
                refused.errnoNumber(),
                event.status() == -Errno.ETIMEDOUT.number()
                        ? "the server does not answer within %s; check the address, that its host and program run, and the network between, or wait longer (EndpointOptions.connectTimeout)"
                                .formatted(Waits.seconds(options.connectTimeout()))
                        : refused.explanation(),
                refused);
    }

    private ConnectionLink connect(ConnectionId id, HubResources resources) {
        QueuePair qp = QueuePairs.create(id, resources, options);
        ReceiveBuffers buffers = new ReceiveBuffers(
                resources.protectionDomain(), options.bufferBytes(), qp::newReceiveRequest, qp::postReceives);
        EarlyCompletions early = new EarlyCompletions(qp.number());
        resources.hub().add(early);
        try {
            buffers.add(QueuePairs.receives(options));
            id.connect(QueuePairs.parameters(options));
            Handshake peer = Handshake.decode(id.event().privateData());
            Exports exports = new Exports();
            exports.addDomain(resources.protectionDomain());
            ConnectionLink link = new ConnectionLink(
                    options, resources, id, buffers, peer, exports, () -> release(resources, buffers, exports));
            resources.hub().replace(early, link);
            EndpointEvents.connected(link, false);
            return link;
        } catch (RuntimeException e) {
            resources.hub().remove(early.qpNumber());
            try (buffers) {
                id.queuePair().close();
            } catch (RuntimeException next) {
                e.addSuppressed(next);
            }
            throw e instanceof IllegalArgumentException
                    ? new RdmaException(connecting(), Errno.EPROTO, e.getMessage(), e)
                    : e;
        }
    }

    /// All of it, even where closing a part fails: the rest would stay open for ever.
    private static void release(HubResources resources, ReceiveBuffers buffers, Exports exports) {
        try {
            try (buffers) {
                exports.close();
            }
        } finally {
            ClientHubs.release(resources);
        }
    }

    /// Either the server said why, or nobody listens.
    private RuntimeException rejected(CmEvent event, RuntimeException asItWas) throws NobodyListensException {
        String reason = Handshake.decodeReason(event.privateData());
        if (!reason.isEmpty()) {
            return new RdmaException(connecting(), Errno.ECONNREFUSED, reason, asItWas);
        }
        if (event.status() == NO_SERVICE && asItWas instanceof RdmaException refused) {
            throw new NobodyListensException(refused);
        }
        return asItWas;
    }
}
