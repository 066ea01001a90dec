package io.verbena.tools.pingpong;

import io.verbena.tools.program.Owned;
import io.verbena.tools.program.PeerDevice;
import io.verbena.tools.program.ProgramException;
import io.verbena.tools.program.QueuePairSteps;
import io.verbena.verbs.AddressHandle;
import io.verbena.verbs.CompletionChannel;
import io.verbena.verbs.CompletionQueue;
import io.verbena.verbs.Context;
import io.verbena.verbs.ProtectionDomain;
import io.verbena.verbs.QueuePair;
import io.verbena.verbs.QueuePairOptions;
import io.verbena.verbs.ReceiveRequest;
import io.verbena.verbs.SendRequest;
import io.verbena.verbs.SharedReceiveQueue;
import io.verbena.verbs.attr.Access;
import io.verbena.verbs.attr.AddressVector;
import io.verbena.verbs.attr.Gid;
import io.verbena.verbs.attr.GidEntry;
import io.verbena.verbs.attr.LinkLayer;
import io.verbena.verbs.attr.PortAttributes;
import io.verbena.verbs.attr.SharedReceiveQueueOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;

/// All objects that one side makes on its device: memory, a completion queue and queue pairs, in the order in which
/// they depend on each other. The numbers are those of the C programs: one send at a time on each queue pair, one
/// completion queue for everything.
final class PingPongEndpoint implements AutoCloseable {
    /// Packets pass at most one hop, as with the C programs.
    private static final int HOP_LIMIT = 1;

    private static final int ACK_TIMEOUT = 14; // 67 ms
    private static final int RETRIES = 7;

    private final PingPongSettings settings;
    private final Context context;
    private final int port;
    private final PortAttributes portAttributes;
    private final GidEntry gid;
    private final Owned owned = new Owned();
    private final List<QueuePair> queuePairs = new ArrayList<>();
    private final List<Destination> destinations = new ArrayList<>();
    private final List<SendRequest> sends = new ArrayList<>();

    private ProtectionDomain pd;
    private CompletionQueue cq;
    private MessageMemory memory;
    private SharedReceiveQueue srq;

    static PingPongEndpoint on(PeerDevice device, PingPongSettings settings) {
        int port = settings.port() < 0 ? device.port() : settings.port();
        GidEntry gid = settings.gidIndex() < 0 ? device.gidOf(port) : device.gid(port, settings.gidIndex());
        return new PingPongEndpoint(settings, device.context(), port, gid);
    }

    PingPongEndpoint(PingPongSettings settings, Context context, int port, GidEntry gid) {
        this.settings = settings;
        this.context = context;
        this.port = port;
        this.portAttributes = context.port(port);
        this.gid = gid;
        requireFits();
        try {
            create();
        } catch (RuntimeException e) {
            owned.close();
            throw e;
        }
    }

    private void requireFits() {
        long most = settings.kind() == PingPongKind.UD
                ? portAttributes.activeMtu().bytes()
                : portAttributes.maxMessageBytes();
        if (settings.size() > most) {
            throw new ProgramException("-s " + settings.size() + ": device "
                    + context.device().name() + " sends at most " + most + " bytes as one "
                    + (settings.kind() == PingPongKind.UD ? "datagram, the MTU of its port" : "message"));
        }
    }

    private void create() {
        pd = owned.add(context.allocateProtectionDomain());
        CompletionChannel channel = settings.events() ? owned.add(context.createCompletionChannel()) : null;
        cq = owned.add(context.createCompletionQueue(settings.receives() + settings.queuePairs(), channel));
        memory = new MessageMemory(settings, bytes -> owned.add(pd.allocate(bytes, Access.LOCAL_WRITE)));
        QueuePairOptions options = QueuePairOptions.of(settings.kind().type(), cq, cq)
                .sendRequests(1)
                .scatterGather(1, 1);
        if (settings.kind() == PingPongKind.SRQ) {
            srq = owned.add(pd.createSharedReceiveQueue(
                    SharedReceiveQueueOptions.of(settings.receives()).withScatterGather(1)));
            options = options.sharedReceiveQueue(srq);
        } else {
            options = options.receiveRequests(settings.receives());
        }
        for (int i = 0; i < settings.queuePairs(); i++) {
            QueuePair qp = owned.add(pd.createQueuePair(options));
            QueuePairSteps.toInit(qp, port);
            queuePairs.add(qp);
            int psn = ThreadLocalRandom.current().nextInt(1 << 24);
            destinations.add(new Destination(portAttributes.lid(), qp.number(), psn, gid.gid()));
        }
        memory.receives(this::newReceive);
        for (int i = 0; i < settings.receives(); i++) {
            post(memory.receive(i % settings.slots())); // before the peer can send
        }
    }

    private ReceiveRequest newReceive() {
        return srq != null ? srq.newReceiveRequest() : queuePairs.getFirst().newReceiveRequest();
    }

    /// The addresses of this side's queue pairs.
    List<Destination> destinations() {
        return destinations;
    }

    /// Connects each queue pair to its peer. After that it receives, and may send.
    void connect(List<Destination> remote) {
        for (int i = 0; i < queuePairs.size(); i++) {
            QueuePair qp = queuePairs.get(i);
            AddressVector address = addressOf(remote.get(i));
            Destination peer = remote.get(i);
            QueuePairSteps.toReadyToReceive(qp, address, peer.qpNumber(), peer.psn(), settings.mtu(), 1);
            QueuePairSteps.toReadyToSend(qp, destinations.get(i).psn(), ACK_TIMEOUT, RETRIES, 1);
            SendRequest send = memory.fill(qp.newSendRequest().send()).signaled();
            if (settings.kind() == PingPongKind.UD) {
                AddressHandle handle = owned.add(pd.createAddressHandle(address));
                send.to(handle, peer.qpNumber(), QueuePairSteps.QUEUE_KEY);
            }
            sends.add(send);
        }
    }

    /// The address vector of the peer. Without a GID it has a LID, which only InfiniBand has.
    private AddressVector addressOf(Destination remote) {
        Gid to = remote.gid();
        if (to.low() == 0 && portAttributes.linkLayer() == LinkLayer.INFINIBAND) {
            return AddressVector.toLid(remote.lid(), port).withLink(remote.lid(), 0, settings.serviceLevel(), 0);
        }
        if (to.low() == 0) {
            throw new ProgramException(
                    "the peer sent no GID, which is its address on Ethernet; start it with -g INDEX");
        }
        if (to.isIpv4() != gid.gid().isIpv4()) {
            throw new ProgramException("the peer's GID " + remote.gidText() + " and "
                    + destinations.getFirst().gidText()
                    + " here are of different kinds, IPv4 and IPv6; choose others with -g INDEX on one of the sides");
        }
        return new AddressVector(to, gid.index(), port, 0, HOP_LIMIT, 0)
                .withLink(remote.lid(), 0, settings.serviceLevel(), 0);
    }

    CompletionQueue completionQueue() {
        return cq;
    }

    MessageMemory memory() {
        return memory;
    }

    List<QueuePair> queuePairs() {
        return queuePairs;
    }

    /// The message of that queue pair, which is posted again and again.
    SendRequest send(int queuePair) {
        return sends.get(queuePair);
    }

    void post(ReceiveRequest receive) {
        boolean posted = srq != null ? srq.post(receive) : queuePairs.getFirst().post(receive);
        if (!posted) {
            throw new ProgramException(
                    "the receive queue is full with fewer than " + settings.receives() + " receives; lower -r");
        }
    }

    @Override
    public void close() {
        owned.close();
    }
}
