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

/// Other queue pairs on the device of a measured connection: one in RESET, a datagram queue pair in RTS, and a
/// connection over UDP to a [UdpPeer], which sends a message now and then. A device that checks all of them in each
/// poll, or that gives up its fast paths because of them, is slower than one without.
final class Neighbours implements AutoCloseable {
    private static final int QKEY = 0x11223344;
    /// More receives than messages in a run of a second. They are posted again only between runs, so that a run does
    /// nothing but poll their completions.
    private static final int RECEIVES = 128;

    private static final Duration LIMIT = Duration.ofSeconds(15);

    private final boolean ownQueue;
    private final CompletionQueue cq;
    private final CompletionCounter counter;
    private final QueuePair inReset;
    private final QueuePair datagrams;
    private final ConnectionId id;
    private final QueuePair overUdp;
    private final MemoryRegion region;
    private final ReceiveRequest receive;

    /// @param connection the connection whose device and protection domain they share
    /// @param ownQueue whether they have their own completion queue, or that of the measured connection
    Neighbours(MeasuredConnection connection, boolean ownQueue, ConnectionManager manager, InetSocketAddress udpPeer) {
        this.ownQueue = ownQueue;
        ProtectionDomain pd = connection.id.protectionDomain();
        cq = ownQueue ? connection.id.context().createCompletionQueue(2 * RECEIVES) : connection.cq;
        counter = ownQueue ? new CompletionCounter() : connection.counter;
        inReset = pd.createQueuePair(QueuePairOptions.rc(cq));
        datagrams = pd.createQueuePair(QueuePairOptions.ud(cq));
        datagrams.modify(QueuePairChange.toInit(QKEY));
        datagrams.modify(QueuePairChange.toRtr());
        datagrams.modify(QueuePairChange.toRtsUnreliable(0));
        InetSocketAddress home =
                new InetSocketAddress(connection.id.localAddress().getAddress(), 0);
        id = manager.createEndpoint(PortSpace.TCP, home, udpPeer, LIMIT);
        if (id.context() != connection.id.context()) {
            throw new IllegalStateException("the UDP peer is reached by another device");
        }
        overUdp = id.createQueuePair(pd, QueuePairOptions.rc(cq).receiveRequests(RECEIVES));
        region = pd.allocate(UdpPeer.BYTES, Access.LOCAL_WRITE);
        receive = overUdp.newReceiveRequest().wrId(CompletionCounter.NEIGHBOUR).into(region, 0, UdpPeer.BYTES);
        post(RECEIVES);
        id.connect(ConnectionParameters.DEFAULT);
    }

    /// Takes completions and posts receives in their place: to be called before and after each run, when the measured
    /// connection has no request in flight. After a run that used all receives, the UDP peer must be able to send
    /// again.
    void refresh() {
        while (cq.poll(counter, RECEIVES) > 0) {
            // takes all of them
        }
        post(counter.takeNeighbours());
    }

    private void post(long count) {
        for (long n = 0; n < count; n++) {
            if (!overUdp.post(receive)) {
                throw new IllegalStateException("the receive queue of the UDP connection is full");
            }
        }
    }

    /// To be closed before the measured connection, whose completion queue and domain they may use.
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
