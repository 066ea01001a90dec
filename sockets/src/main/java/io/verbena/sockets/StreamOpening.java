package io.verbena.sockets;

import io.verbena.sockets.protocol.ConnectionData;
import io.verbena.sockets.protocol.ProtocolException;
import io.verbena.verbs.cm.CmEvent;
import io.verbena.verbs.cm.ConnectionId;
import java.net.InetSocketAddress;
import java.util.concurrent.locks.ReentrantLock;

/// How a connection begins, and what the connection manager says of it.
final class StreamOpening implements CmHandler {
    private final RdmaStream stream;
    private final ConnectionId id;
    private final StreamResources resources;
    private final ReentrantLock lock;

    /// The listener that gets the connection when it is established; null for a client.
    private final RdmaListener listener;

    private ConnectionData peer;
    private volatile long askedNs;

    StreamOpening(
            RdmaStream stream, ConnectionId id, StreamResources resources, ReentrantLock lock, RdmaListener listener) {
        this.stream = stream;
        this.id = id;
        this.resources = resources;
        this.lock = lock;
        this.listener = listener;
        id.attachment(this);
    }

    /// When the peer was asked; 0 before.
    long askedNs() {
        return askedNs;
    }

    /// Begins to connect; [RdmaStream#isEstablished] or [RdmaStream#failure] follow.
    ///
    /// @param port the local port, unless the id is bound already; 0 for any
    void connect(int port, InetSocketAddress to) {
        resources.resolve(port, to);
    }

    /// Answers the request of a client. Called by the owner of the hub.
    void accept(ConnectionData offered) {
        lock.lock();
        try {
            peer = offered;
            resources.configure();
            stream.protocol(resources.open());
            resources.accept(stream.protocol());
        } finally {
            lock.unlock();
        }
    }

    /// Makes all that a connection needs, so that the first real one is answered in time. The caller closes it.
    void warmUp() {
        lock.lock();
        try {
            stream.protocol(resources.open());
            ConnectionData.decode(stream.protocol().offer().encode());
        } finally {
            lock.unlock();
        }
    }

    // ---- what the owner of the hub brings ----

    @Override
    public void onCmEvent(CmEvent event) {
        boolean isAbandoned = false;
        lock.lock();
        try {
            if (!stream.isReleased()) {
                onEvent(event);
            }
        } catch (ProtocolException e) {
            stream.fail(StreamFailure.refused(e.getMessage()));
        } catch (RuntimeException e) {
            stream.fail(
                    stream.isEstablished()
                            ? StreamFailure.reset(e.getMessage())
                            : StreamFailure.unreachable(e.getMessage()));
        } finally {
            isAbandoned = isAbandoned();
            stream.refresh();
            lock.unlock();
        }
        if (isAbandoned) {
            listener.onAbandoned();
            stream.close();
        } else {
            stream.ending().finish();
        }
    }

    /// Whether a client went away before the connection was established, so that no program will ever close it.
    private boolean isAbandoned() {
        return listener != null && !stream.isEstablished() && stream.isLost() && !stream.isClosed();
    }

    private void onEvent(CmEvent event) {
        switch (event.type()) {
            case ADDRESS_RESOLVED -> id.resolveRoute(StreamResources.RESOLVE_TIMEOUT);
            case ROUTE_RESOLVED -> {
                stream.protocol(resources.open());
                resources.connect(stream.protocol());
                askedNs = System.nanoTime();
            }
            case ESTABLISHED -> onEstablished(event);
            case REJECTED -> stream.fail(StreamFailure.refused("nobody listens there by RDMA"));
            case ADDRESS_ERROR, ROUTE_ERROR -> stream.fail(StreamFailure.unreachable(event.explanation()));
            case UNREACHABLE, CONNECT_ERROR -> stream.fail(StreamFailure.timedOut(event.explanation()));
            case DISCONNECTED, DEVICE_REMOVAL -> stream.onDisconnected(event);
            default -> {}
        }
    }

    private void onEstablished(CmEvent event) {
        if (listener == null) {
            peer = ConnectionData.decode(event.privateData());
        }
        stream.onEstablished(peer);
        SocketEvents.connected(stream, listener != null);
        if (listener != null) {
            listener.onEstablished(stream);
        }
    }
}
