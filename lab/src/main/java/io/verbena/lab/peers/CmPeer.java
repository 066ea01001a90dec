package io.verbena.lab.peers;

import io.verbena.verbs.AddressHandle;
import io.verbena.verbs.CompletionQueue;
import io.verbena.verbs.Context;
import io.verbena.verbs.MemoryRegion;
import io.verbena.verbs.ProtectionDomain;
import io.verbena.verbs.QueuePair;
import io.verbena.verbs.QueuePairOptions;
import io.verbena.verbs.Rdma;
import io.verbena.verbs.SendRequest;
import io.verbena.verbs.WorkCompletion;
import io.verbena.verbs.attr.Access;
import io.verbena.verbs.attr.CompletionStatus;
import io.verbena.verbs.attr.QueuePairType;
import io.verbena.verbs.cm.CmEventType;
import io.verbena.verbs.cm.ConnectionId;
import io.verbena.verbs.cm.ConnectionParameters;
import io.verbena.verbs.cm.DatagramPeer;
import io.verbena.verbs.cm.PortSpace;
import java.io.PrintWriter;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/// The peer of rdma-core's `ucmatose`, `udaddy` and `mckey`, each with ten messages of a hundred bytes:
///
/// ```
/// cm ucmatose|udaddy server OWN PORT      cm ucmatose|udaddy client OWN PORT PEER
/// cm mckey receiver|sender OWN 0 GROUP
/// ```
///
/// The system property `verbena.provider` selects the device. Throws unless all messages arrived.
final class CmPeer implements AutoCloseable {
    private static final int COUNT = 10;
    private static final int BYTES = 100;
    static final String AMOUNT = COUNT + " messages of " + BYTES + " bytes";
    private static final int GRH = 40;
    private static final long POLL_NANOS = 10_000_000;
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final ConnectionId id;
    private final ProtectionDomain pd;
    private final CompletionQueue sends;
    private final CompletionQueue receives;
    private final QueuePair qp;
    private final MemoryRegion memory;
    private AddressHandle handle;
    private int peerQp;
    private int peerKey;

    private CmPeer(ConnectionId id, QueuePairType type) {
        this.id = id;
        Context context = id.context();
        pd = context.allocateProtectionDomain();
        sends = context.createCompletionQueue(2 * COUNT);
        receives = context.createCompletionQueue(2 * COUNT);
        qp = id.createQueuePair(pd, QueuePairOptions.of(type, sends, receives));
        memory = pd.allocate(GRH + BYTES, Access.LOCAL_WRITE);
        for (int i = 0; i < COUNT; i++) {
            qp.post(qp.newReceiveRequest().wrId(i).into(memory, 0, GRH + BYTES));
        }
    }

    /// Runs a command line whose first word is `cm`.
    static int run(PrintWriter out, String... arguments) {
        String program = arguments[1];
        String role = arguments[2];
        String own = arguments[3];
        int port = Integer.parseInt(arguments[4]);
        String other = arguments.length > 5 ? arguments[5] : "";
        switch (program + " " + role) {
            case "ucmatose server" -> connected(accept(out, PortSpace.TCP, own, port), true);
            case "ucmatose client" -> connected(connect(PortSpace.TCP, own, other, port), false);
            case "udaddy server" -> datagrams(accept(out, PortSpace.UDP, own, port), true);
            case "udaddy client" -> datagrams(connect(PortSpace.UDP, own, other, port), false);
            case "mckey receiver" -> group(out, own, other, true);
            case "mckey sender" -> group(out, own, other, false);
            default -> throw new IllegalArgumentException("no such program or role: " + program + " " + role);
        }
        return 0;
    }

    private static QueuePairType type(PortSpace space) {
        return space == PortSpace.TCP ? QueuePairType.RC : QueuePairType.UD;
    }

    private static CmPeer accept(PrintWriter out, PortSpace space, String own, int port) {
        try (ConnectionId listener = Rdma.connectionManager().createSynchronousId(space)) {
            listener.bind(new InetSocketAddress(own, port));
            listener.listen(1);
            out.println("listens on " + listener.localAddress());
            ConnectionId request = listener.awaitRequest(PATIENCE);
            if (request == null) {
                throw new IllegalStateException("nobody called in " + PATIENCE);
            }
            CmPeer peer = new CmPeer(request, type(space));
            request.accept(ConnectionParameters.DEFAULT);
            return peer;
        }
    }

    private static CmPeer connect(PortSpace space, String own, String to, int port) {
        ConnectionId id = Rdma.connectionManager().createSynchronousId(space);
        id.timeout(PATIENCE);
        id.resolveAddress(new InetSocketAddress(own, 0), new InetSocketAddress(to, port), PATIENCE);
        id.resolveRoute(PATIENCE);
        CmPeer peer = new CmPeer(id, type(space));
        id.connect(ConnectionParameters.DEFAULT);
        if (space == PortSpace.UDP) {
            peer.to(id.event().datagram());
        }
        return peer;
    }

    private void to(DatagramPeer found) {
        handle = pd.createAddressHandle(found.address());
        peerQp = found.qpNumber();
        peerKey = found.qkey();
    }

    /// The server sends first, the client answers, the server disconnects.
    private static void connected(CmPeer peer, boolean first) {
        try (peer) {
            if (first) {
                peer.sendAll();
                peer.receiveAll();
                peer.id.disconnect();
            } else {
                peer.receiveAll();
                peer.postSends();
                peer.awaitLastSends();
                peer.awaitDisconnect();
            }
        }
    }

    /// The server disconnects once it has all messages, also when the acknowledgement of the last one was lost. Those
    /// sends are flushed then; that the server ends well shows that they arrived.
    private void awaitLastSends() {
        take(sends).stream()
                .filter(send -> send.status() != CompletionStatus.WORK_REQUEST_FLUSHED)
                .forEach(CmPeer::check);
    }

    private void awaitDisconnect() {
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (id.event().type() != CmEventType.DISCONNECTED) {
            if (System.nanoTime() > end || Thread.currentThread().isInterrupted()) {
                throw new IllegalStateException("the peer did not disconnect in " + PATIENCE);
            }
            LockSupport.parkNanos(POLL_NANOS);
        }
    }

    /// The client sends first; the server gets the client's address from the completion of its receive.
    private static void datagrams(CmPeer peer, boolean isServer) {
        try (peer) {
            if (isServer) {
                WorkCompletion last = peer.receiveAll();
                peer.handle =
                        peer.pd.createAddressHandle(last, peer.memory.memory().asSlice(0, GRH), 1);
                peer.peerQp = last.immediate();
                peer.peerKey = peer.qp.query().qkey();
                peer.sendAll();
            } else {
                peer.sendAll();
                peer.receiveAll();
            }
        }
    }

    private static void group(PrintWriter out, String own, String group, boolean receives) {
        ConnectionId id = Rdma.connectionManager().createSynchronousId(PortSpace.UDP);
        InetSocketAddress address = new InetSocketAddress(group, 0);
        id.resolveAddress(new InetSocketAddress(own, 0), address, PATIENCE);
        try (CmPeer peer = new CmPeer(id, QueuePairType.UD)) {
            id.joinMulticast(address);
            out.println("joined " + group);
            if (receives) {
                peer.receiveAll();
            } else {
                peer.to(id.event().datagram());
                peer.sendAll();
            }
            id.leaveMulticast(address);
        }
    }

    @Override
    public void close() {
        if (handle != null) {
            handle.close();
        }
        id.close(); // and with it the queue pair
        memory.close();
        sends.close();
        receives.close();
        pd.close();
    }

    private void sendAll() {
        postSends();
        await(sends);
    }

    private void postSends() {
        for (int i = 0; i < COUNT; i++) {
            SendRequest request = qp.newSendRequest().wrId(i).signaled().from(memory, 0, BYTES);
            qp.post(
                    handle == null
                            ? request.send()
                            : request.sendWithImmediate(qp.number()).to(handle, peerQp, peerKey));
        }
    }

    private WorkCompletion receiveAll() {
        return await(receives);
    }

    /// Waits for all completions, which must be successful, and returns the last.
    private static WorkCompletion await(CompletionQueue queue) {
        List<WorkCompletion> all = take(queue);
        all.forEach(CmPeer::check);
        return all.getLast();
    }

    private static void check(WorkCompletion completion) {
        if (!completion.isSuccess()) {
            throw new IllegalStateException(
                    "message " + completion.wrId() + ": " + completion.status().explain());
        }
    }

    /// Waits for all completions.
    private static List<WorkCompletion> take(CompletionQueue queue) {
        List<WorkCompletion> all = new ArrayList<>();
        queue.poll(completion -> all.add(completion.copy()), COUNT, PATIENCE);
        if (all.size() < COUNT) {
            throw new IllegalStateException(all.size() + " of " + COUNT + " messages in " + PATIENCE);
        }
        return all;
    }
}
