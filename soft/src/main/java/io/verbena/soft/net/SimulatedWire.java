package io.verbena.soft.net;

import io.verbena.soft.os.Bell;
import io.verbena.verbs.attr.Gid;
import java.net.InetAddress;

/// A host's wire in a [SimulatedNetwork].
final class SimulatedWire extends QueuedWire {
    private final SimulatedNetwork network;
    private final Gid gid;
    private final ArrivalQueue arrivals = new ArrivalQueue();
    private final long[] destinationsHigh = new long[FrameQueue.ENTRIES];
    private final long[] destinationsLow = new long[FrameQueue.ENTRIES];
    private final long[] traffics = new long[FrameQueue.ENTRIES];

    SimulatedWire(SimulatedNetwork network, InetAddress local, int maxPayload) {
        super(local, maxPayload);
        this.network = network;
        gid = Gid.of(local);
    }

    Gid gid() {
        return gid;
    }

    ArrivalQueue arrivals() {
        return arrivals;
    }

    @Override
    public void commit(int offset, int length, long destinationHigh, long destinationLow, long traffic) {
        int entry = queue.commit(offset, length);
        destinationsHigh[entry] = destinationHigh;
        destinationsLow[entry] = destinationLow;
        traffics[entry] = traffic;
    }

    @Override
    public boolean flush() {
        while (!queue.isEmpty()) {
            int entry = queue.head();
            Gid to = new Gid(destinationsHigh[entry], destinationsLow[entry]);
            network.send(this, queue.start(entry), queue.length(entry), to, traffics[entry]);
            queue.release(1);
        }
        return true;
    }

    @Override
    public int receive(FrameHandler handler, int limit) {
        int received = 0;
        HeldFrame arrived = limit == 0 ? null : network.take(arrivals);
        while (arrived != null) {
            handler.onFrame(arrived.frame);
            network.recycle(arrivals, arrived);
            received++;
            arrived = received < limit ? network.take(arrivals) : null;
        }
        return received;
    }

    @Override
    public void await(long timeoutNs) {
        throw new IllegalStateException("wait on simulated host " + AddressText.of(local)
                + ": nothing moves while a thread sleeps; run the fabric instead");
    }

    @Override
    public void wakeup() {
        // Nobody sleeps here.
    }

    @Override
    public void listenTo(Bell bell) {
        // Nobody sleeps here.
    }

    @Override
    void enter(Gid group) {
        // The network asks each wire for its groups.
    }

    @Override
    void exit(Gid group) {
        // The network asks each wire for its groups.
    }

    @Override
    public void close() {
        network.remove(this);
    }
}
