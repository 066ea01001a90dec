package io.verbena.endpoint;

import io.verbena.verbs.Errno;
import io.verbena.verbs.QueuePair;
import io.verbena.verbs.RdmaException;
import io.verbena.verbs.cm.CmEvent;
import io.verbena.verbs.cm.CmEventType;
import io.verbena.verbs.cm.ConnectionId;
import io.verbena.verbs.cm.PortSpace;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
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
        InetSocketAddress local =
                options.localAddress() == null ? null : new InetSocketAddress(address(options.localAddress()), 0);
        return new Connector(new InetSocketAddress(address(host), port), local, options).connectInTime();
    }

    static InetAddress address(String host) {
        try {
            return InetAddress.getByName(host);
        } catch (UnknownHostException e) {
            throw new RdmaException("connect to " + host, Errno.EADDRNOTAVAIL, "unknown host '" + host + "'", e);
        }
    }

    private ConnectionLink connectInTime() {
        long startNs = System.nanoTime();
        long budgetNs = ConnectionLink.nanoseconds(options.connectTimeout());
        Duration pause = FIRST_PAUSE;
        RdmaException nobody = null;
        while (true) {
            try {
                return attempt(Duration.ofNanos(Math.max(1_000_000, budgetNs - (System.nanoTime() - startNs))));
            } catch (RdmaException e) {
                // The last attempt may get too little time for an answer. The answer before says more.
                throw nobody != null && e.errno() == Errno.ETIMEDOUT ? nobody : e;
            } catch (NobodyListensException e) {
                nobody = e.reason;
                if (System.nanoTime() - startNs + pause.toNanos() > budgetNs) {
                    throw e.reason;
                }
                pause(pause);
                pause = pause.multipliedBy(2).compareTo(LONGEST_PAUSE) < 0 ? pause.multipliedBy(2) : LONGEST_PAUSE;
            }
        }
    }

    private void pause(Duration time) {
        try {
            Thread.sleep(time);
        } catch (InterruptedException e) {
            throw new RdmaException("connect to " + server, Errno.EINTR, "the connecting thread was interrupted", e);
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
            resources = HubResources.open(id.localAddress().getAddress(), options, false, 1);
            return connect(id, resources);
        } catch (RuntimeException e) {
            CmEvent event = id.event();
            id.close();
            if (resources != null) {
                resources.close();
            }
            if (event != null && event.type() == CmEventType.REJECTED) {
                throw rejected(event, e);
            }
            throw e;
        }
    }

    private ConnectionLink connect(ConnectionId id, HubResources resources) {
        QueuePairs.reserve(resources, options);
        QueuePair qp = QueuePairs.create(id, resources, options);
        ReceiveBuffers buffers = resources.own(new ReceiveBuffers(
                resources.protectionDomain(), options.bufferBytes(), qp::newReceiveRequest, qp::post));
        buffers.add(QueuePairs.receives(options));
        id.connect(QueuePairs.parameters(options));
        Handshake peer;
        try {
            peer = Handshake.decode(id.event().privateData());
        } catch (IllegalArgumentException e) {
            throw new RdmaException("connect to " + server, Errno.EPROTO, e.getMessage(), e);
        }
        Exports exports = resources.own(new Exports());
        exports.addDomain(resources.protectionDomain());
        ConnectionLink link = new ConnectionLink(options, resources, id, buffers, peer, exports, resources::close);
        EndpointEvents.connected(link, false);
        return link;
    }

    /// Either the server said why, or nobody listens.
    private RuntimeException rejected(CmEvent event, RuntimeException asItWas) throws NobodyListensException {
        String reason = Handshake.decodeReason(event.privateData());
        if (!reason.isEmpty()) {
            return new RdmaException("connect to " + server, Errno.ECONNREFUSED, reason, asItWas);
        }
        if (event.status() == NO_SERVICE && asItWas instanceof RdmaException refused) {
            throw new NobodyListensException(refused);
        }
        return asItWas;
    }
}
