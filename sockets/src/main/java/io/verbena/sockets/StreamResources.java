package io.verbena.sockets;

import io.verbena.sockets.protocol.MemorySource;
import io.verbena.sockets.protocol.StreamProtocol;
import io.verbena.sockets.protocol.StreamSettings;
import io.verbena.verbs.QueuePair;
import io.verbena.verbs.QueuePairChange;
import io.verbena.verbs.RdmaException;
import io.verbena.verbs.attr.QueuePairState;
import io.verbena.verbs.cm.ConnectionId;
import io.verbena.verbs.cm.ConnectionParameters;
import java.net.InetSocketAddress;
import java.time.Duration;

/// What a connection holds of the device: its id, a queue pair, registered memory, and a place in the hub.
final class StreamResources implements MemorySource {
    static final Duration RESOLVE_TIMEOUT = Duration.ofSeconds(5);

    private final RdmaStream stream;
    private final Hub hub;
    private final SocketSettings settings;
    private final StreamSettings sizes;
    private final ConnectionId id;
    private volatile int qpNumber = -1;
    private int place = -1;

    StreamResources(RdmaStream stream, Hub hub, SocketSettings settings, ConnectionId id) {
        this.stream = stream;
        this.hub = hub;
        this.settings = settings;
        this.id = id;
        sizes = settings.streams(hub.device().mostWorkRequests());
    }

    int qpNumber() {
        return qpNumber;
    }

    /// Before it is connected or accepted.
    void configure() {
        StreamQueuePair.configure(id, settings);
    }

    /// Begins to connect.
    ///
    /// @param port the local port, unless the id is bound already; 0 for any
    void resolve(int port, InetSocketAddress to) {
        configure();
        InetSocketAddress local = id.localAddress() != null ? null : new InetSocketAddress(hub.address(), port);
        id.resolveAddress(local, to, RESOLVE_TIMEOUT);
    }

    void connect(StreamProtocol protocol) {
        id.connect(parameters(protocol));
    }

    void accept(StreamProtocol protocol) {
        id.accept(parameters(protocol));
    }

    private static ConnectionParameters parameters(StreamProtocol protocol) {
        return StreamQueuePair.parameters(protocol.offer());
    }

    /// Makes the queue pair and posts all receives, because the peer may write as soon as it knows the keys.
    StreamProtocol open() {
        place = hub.streams().add(stream, requests());
        QueuePair qp = StreamQueuePair.create(id, hub.device().completionQueue(), sizes, settings);
        qpNumber = qp.number();
        QueuePairPoster poster = new QueuePairPoster(qp, place, settings.get(RdmaSocketOptions.RDMA_INLINE));
        StreamProtocol protocol = new StreamProtocol(sizes, this, poster);
        poster.postReceives(sizes.receives());
        return protocol;
    }

    @Override
    public RegionMemory allocate(long bytes) {
        return RegionMemory.allocate(hub.device().protectionDomain(), bytes);
    }

    @Override
    public void onMissing(RdmaException reason) {
        SocketEvents.trouble(stream, reason);
    }

    private int requests() {
        return sizes.sendRequests() + sizes.receives();
    }

    /// Nothing more is sent or received.
    void stopQueuePair() {
        try {
            id.queuePair().modify(QueuePairChange.to(QueuePairState.ERR));
        } catch (RdmaException e) {
            SocketEvents.trouble(stream, e);
        }
    }

    /// After the id is closed and nobody uses the memory any more.
    void leaveHub() {
        if (place >= 0) {
            hub.streams().remove(place, requests());
        }
        hub.streams().removeClosing(stream);
    }
}
