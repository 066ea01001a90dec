package io.verbena.soft.cm;

import io.verbena.roce.mad.CmaHeader;
import io.verbena.roce.mad.ServiceId;
import io.verbena.verbs.Errno;
import io.verbena.verbs.RdmaException;
import io.verbena.verbs.attr.Gid;
import io.verbena.verbs.cm.CmEvent;
import io.verbena.verbs.cm.CmEventType;
import io.verbena.verbs.cm.ConnectionParameters;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/// The passive side of an id that listens, on one device or on all.
final class SoftListener {
    /// More wait in vain: their requests are dropped until some are taken (rule CM-9).
    private static final int LARGEST_BACKLOG = 1024;

    private record Place(SharedDevice device, RequestHandler handler) {}

    private final SoftConnectionId id;
    private final long serviceId;
    private final int port;
    private final int backlog;
    private final AtomicInteger waiting = new AtomicInteger();
    private final List<Place> places = new ArrayList<>();

    SoftListener(SoftConnectionId id, int port, int backlog) {
        this.id = id;
        this.port = port;
        this.serviceId = ServiceId.of(id.portSpace().code(), port);
        this.backlog = backlog <= 0 ? LARGEST_BACKLOG : Math.min(backlog, LARGEST_BACKLOG);
    }

    void start(List<SharedDevice> devices) {
        for (SharedDevice device : devices) {
            RequestHandler handler = (connection, header, seen) -> onRequest(device, connection, header, seen);
            boolean free = device.engine().call(() -> device.agent().listen(serviceId, handler));
            if (!free) {
                stop();
                throw new RdmaException(
                        "rdma_listen",
                        Errno.EADDRINUSE,
                        "another id listens on port " + port + " of " + device.context());
            }
            places.add(new Place(device, handler));
        }
    }

    void stop() {
        for (Place place : places) {
            place.device.engine().execute(() -> place.device.agent().stopListening(serviceId, place.handler));
        }
        places.clear();
    }

    /// As the owner of the device's engine.
    private ConnectionHandler onRequest(
            SharedDevice device, CmConnection connection, CmaHeader header, ConnectionParameters seen) {
        if (waiting.get() >= backlog) {
            return null;
        }
        waiting.incrementAndGet();
        Gid source = new Gid(header.sourceGidHi(), header.sourceGidLo());
        Gid destination = new Gid(header.destinationGidHi(), header.destinationGidLo());
        InetSocketAddress local = new InetSocketAddress(destination.address(), port);
        InetSocketAddress peer = new InetSocketAddress(source.address(), header.sourcePort());
        ConnectionHandler[] handler = {null};
        id.eventChannel()
                .putMade(
                        channel -> {
                            SoftConnectionId request = id.newRequestId(channel, device.retain(), local, peer);
                            ReliableConversation conversation = (ReliableConversation) request.conversation();
                            conversation.take(connection);
                            handler[0] = conversation.handler();
                            return new CmEvent(CmEventType.CONNECT_REQUEST, request, id, 0, seen, null);
                        },
                        waiting::decrementAndGet);
        return handler[0];
    }
}
