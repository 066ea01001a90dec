package io.verbena.soft.local;

import io.verbena.soft.SoftProvider;
import io.verbena.verbs.CompletionQueue;
import io.verbena.verbs.MemoryRegion;
import io.verbena.verbs.QueuePair;
import io.verbena.verbs.QueuePairOptions;
import io.verbena.verbs.attr.Access;
import io.verbena.verbs.cm.CmEvent;
import io.verbena.verbs.cm.CmEventType;
import io.verbena.verbs.cm.ConnectionId;
import io.verbena.verbs.cm.ConnectionManager;
import io.verbena.verbs.cm.EventChannel;
import io.verbena.verbs.cm.PortSpace;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;

/// Connects by the connection manager, or accepts a connection, and then only waits. As a process of its own it prints
/// `listening PORT` and `connected`, and ends with its input.
final class CmNeighbour implements AutoCloseable {
    static final int BYTES = 1 << 20;
    private static final Duration LONG = Duration.ofSeconds(20);

    private final ConnectionManager cm = new SoftProvider().connectionManager();
    final EventChannel channel = cm.createEventChannel();
    private ConnectionId listener;
    ConnectionId id;
    CompletionQueue cq;
    MemoryRegion memory;
    QueuePair qp;

    /// `listen OWN` or `connect OWN PEER PORT`.
    public static void main(String[] arguments) throws IOException {
        CmNeighbour neighbour = new CmNeighbour();
        InetAddress own = InetAddress.ofLiteral(arguments[1]);
        if (arguments[0].equals("listen")) {
            System.out.println("listening " + neighbour.listen(own));
            neighbour.accept();
        } else {
            neighbour.connect(own, InetAddress.ofLiteral(arguments[2]), Integer.parseInt(arguments[3]));
        }
        System.out.println("connected");
        while (System.in.read() >= 0) {
            Thread.onSpinWait();
        }
    }

    int listen(InetAddress own) {
        listener = cm.createId(channel, PortSpace.TCP);
        listener.bind(new InetSocketAddress(own, 0));
        listener.listen(1);
        return listener.localAddress().getPort();
    }

    void accept() {
        id = expect(CmEventType.CONNECT_REQUEST).id();
        prepare();
        id.accept(null);
        expect(CmEventType.ESTABLISHED);
    }

    void connect(InetAddress own, InetAddress peer, int port) {
        id = cm.createId(channel, PortSpace.TCP);
        id.resolveAddress(new InetSocketAddress(own, 0), new InetSocketAddress(peer, port), LONG);
        expect(CmEventType.ADDRESS_RESOLVED);
        id.resolveRoute(LONG);
        expect(CmEventType.ROUTE_RESOLVED);
        prepare();
        id.connect(null);
        expect(CmEventType.ESTABLISHED);
    }

    private void prepare() {
        cq = id.context().createCompletionQueue(64, id.context().createCompletionChannel());
        memory = id.protectionDomain().allocate(BYTES, Access.LOCAL_WRITE, Access.REMOTE_WRITE, Access.REMOTE_READ);
        qp = id.createQueuePair(null, QueuePairOptions.rc(cq));
        for (int i = 0; i < 3; i++) {
            qp.post(qp.newReceiveRequest().wrId(i).into(memory, i * 1000, 1000));
        }
    }

    CmEvent expect(CmEventType type) {
        CmEvent event = channel.await(LONG);
        if (event == null || event.type() != type) {
            throw new AssertionError("expected " + type + ", not " + event);
        }
        return event;
    }

    @Override
    public void close() {
        if (qp != null) {
            qp.close();
            memory.close();
            cq.close();
            cq.channel().close();
            id.close();
        }
        if (listener != null) {
            listener.close();
        }
        channel.close();
    }
}
