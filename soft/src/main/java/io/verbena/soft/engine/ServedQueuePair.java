package io.verbena.soft.engine;

/// A queue pair as its engine knows it: what it is asked to do, and the engine's notes on which of its lists it is in.
public abstract class ServedQueuePair {
    /// Whether it is in the list of posted ones, which any thread adds to; and the next one there.
    volatile int posted;

    ServedQueuePair nextPosted;
    boolean inActive;
    boolean inAcknowledging;
    /// How many multicast groups it belongs to.
    int groups;

    private int number;

    protected ServedQueuePair() {}

    /// Given by the table, once, before anybody else can see the queue pair.
    public final int number() {
        return number;
    }

    final void number(int given) {
        number = given;
    }

    /// How many multicast groups it belongs to. Owner only.
    public final int groups() {
        return groups;
    }

    /// One turn: sends up to `budget` packets of each kind; how many left.
    public abstract int emit(long nowNs, int budget);

    /// Whether to go on in the next cycle: the budget or the network stopped it. What else stops it (window,
    /// credits, a fence) puts the queue pair back in line when it ends.
    public abstract boolean hasMoreToEmit();

    /// Sends what there is to answer; with `atOnce` even what may wait. False when it is still to be sent.
    public abstract boolean sendAcknowledgement(long nowNs, boolean atOnce);

    /// Whether a packet is for this queue pair as it is; else what to count.
    public abstract Counter admits(PacketView packet, long sourceHigh, long sourceLow);

    public abstract void onPacket(PacketView packet, long nowNs);

    /// Something went wrong inside that ends this queue pair.
    public abstract void onEngineFault();
}
