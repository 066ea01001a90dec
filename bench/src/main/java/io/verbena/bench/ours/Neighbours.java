package io.verbena.bench.ours;

import io.verbena.verbs.CompletionQueue;
import io.verbena.verbs.MemoryRegion;
import io.verbena.verbs.ProtectionDomain;
import io.verbena.verbs.QueuePair;
import io.verbena.verbs.QueuePairChange;
import io.verbena.verbs.QueuePairOptions;
import io.verbena.verbs.ReceiveRequest;
import io.verbena.verbs.attr.Access;
import io.verbena.verbs.cm.ConnectionId;
import io.verbena.verbs.cm.ConnectionManager;
import io.verbena.verbs.cm.ConnectionParameters;
import io.verbena.verbs.cm.PortSpace;
import java.net.InetSocketAddress;
import java.time.Duration;

/// What makes a device mixed: beside the measured connection it has a queue pair in RESET, a datagram queue pair in
/// RTS, and a connection that goes over UDP to a [UdpPeer], which sends a message now and then. A device that looks at
/// all of them in each poll, or that gives up its short ways because of them, is slower than a pure one.
final class Neighbours implements AutoCloseable {
    private static final int QKEY = 0x11223344;
    /// More than come in a run of a second: they are posted anew between runs only, so that a run does nothing for
    /// them but take their completions.
    private static final int RECEIVES = 128;

    private static final Duration LIMIT = Duration.ofSeconds(15);

    private final boolean ownQueue;
    private final CompletionQueue cq;
    private final Tally tally;
    private final QueuePair inReset;
    private final QueuePair datagrams;
    private final ConnectionId id;
    private final QueuePair overUdp;
    private final MemoryRegion region;
    private final ReceiveRequest receive;

    /// @param link whose device and protection domain they share
    /// @param ownQueue whether they have a completion queue of their own, or that of the link
    Neighbours(Link link, boolean ownQueue, ConnectionManager manager, InetSocketAddress udpPeer) {
        this.ownQueue = ownQueue;
        ProtectionDomain pd = link.id.protectionDomain();
        cq = ownQueue ? link.id.context().createCompletionQueue(2 * RECEIVES) : link.cq;
        tally = ownQueue ? new Tally() : link.tally;
        inReset = pd.createQueuePair(QueuePairOptions.rc(cq));
        datagrams = pd.createQueuePair(QueuePairOptions.ud(cq));
        datagrams.modify(QueuePairChange.toInit(QKEY));
        datagrams.modify(QueuePairChange.toRtr());
        datagrams.modify(QueuePairChange.toRtsUnreliable(0));
        InetSocketAddress home = new InetSocketAddress(link.id.localAddress().getAddress(), 0);
        id = manager.createEndpoint(PortSpace.TCP, home, udpPeer, LIMIT);
        if (id.context() != link.id.context()) {
            throw new IllegalStateException("the UDP peer is reached by another device");
        }
        overUdp = id.createQueuePair(pd, QueuePairOptions.rc(cq).receiveRequests(RECEIVES));
        region = pd.allocate(UdpPeer.BYTES, Access.LOCAL_WRITE);
        receive = overUdp.newReceiveRequest().wrId(Tally.NEIGHBOUR).into(region, 0, UdpPeer.BYTES);
        post(RECEIVES);
        id.connect(ConnectionParameters.DEFAULT);
    }

    /// Takes what is complete and posts receives in its place: to be called before and after each run, when the
    /// measured connection has no request on its way. A run that took so long that no receive is left must not keep
    /// the UDP peer from beginning the next one.
    void refresh() {
        while (cq.poll(tally, RECEIVES) > 0) {
            // all of them
        }
        post(tally.takeNeighbours());
    }

    private void post(long count) {
        for (long n = 0; n < count; n++) {
            if (!overUdp.post(receive)) {
                throw new IllegalStateException("the receive queue of the UDP connection is full");
            }
        }
    }

    /// Before the link, whose completion queue and domain may be theirs.
    @Override
    public void close() {
        id.close();
        inReset.close();
        datagrams.close();
        region.close();
        if (ownQueue) {
            cq.close();
        }
    }
}
