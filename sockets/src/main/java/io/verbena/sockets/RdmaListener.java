package io.verbena.sockets;

import io.verbena.sockets.protocol.ConnectionData;
import io.verbena.sockets.protocol.ProtocolException;
import io.verbena.verbs.cm.CmEvent;
import io.verbena.verbs.cm.CmEventType;
import io.verbena.verbs.cm.ConnectionId;
import io.verbena.verbs.cm.ConnectionOption;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;

/// Takes connection requests at one address, and answers them without the help of the program.
final class RdmaListener implements CmHandler {
    private static final byte[] NOTHING = {};

    private final Hub hub;
    private final SocketSettings settings;
    private final AcceptQueue queue;
    private final ConnectionId id;

    /// Listens.
    RdmaListener(Hub hub, SocketSettings settings, InetSocketAddress local, int backlog, AcceptQueue queue) {
        this.hub = hub;
        this.settings = settings;
        this.queue = queue;
        hub.warmUp();
        id = hub.createId();
        try {
            id.attachment(this);
            if (settings.get(StandardSocketOptions.SO_REUSEADDR)) {
                id.option(ConnectionOption.REUSE_ADDRESS, 1);
            }
            id.bind(local);
            id.listen(backlog);
        } catch (RuntimeException e) {
            id.close();
            throw e;
        }
        hub.thread().request();
    }

    Hub hub() {
        return hub;
    }

    InetSocketAddress localAddress() {
        return id.localAddress();
    }

    @Override
    public void onCmEvent(CmEvent event) {
        if (event.type() != CmEventType.CONNECT_REQUEST) {
            return;
        }
        ConnectionId request = event.id();
        RdmaStream stream = null;
        boolean hasPlace = false;
        try {
            ConnectionData offered = ConnectionData.decode(event.privateData());
            hasPlace = queue.tryReserve();
            if (!hasPlace) {
                throw new ProtocolException("too many connections wait to be accepted");
            }
            stream = new RdmaStream(hub, settings.forAccepted(), request, this);
            stream.opening().accept(offered);
        } catch (RuntimeException e) {
            SocketEvents.trouble("a connection of " + request.peerAddress(), e);
            if (hasPlace) {
                queue.release();
            }
            refuse(request, stream);
        }
    }

    private void refuse(ConnectionId request, RdmaStream stream) {
        try {
            request.reject(NOTHING);
        } catch (RuntimeException e) {
            SocketEvents.trouble("reject", e);
        }
        if (stream != null) {
            stream.close();
        } else {
            request.close();
        }
    }

    void onEstablished(RdmaStream stream) {
        queue.add(stream);
    }

    /// The connection ended before it was established.
    void onAbandoned() {
        queue.release();
    }

    void close() {
        id.close();
    }
}
