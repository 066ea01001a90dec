package io.verbena.soft.engine;

/// The engine's view of a queue pair: the steps that the engine runs, and the lists of the engine that it is in.
public abstract class ServedQueuePair {
    /// Whether it is in [PostedQueuePairs], to which any thread adds; and the next queue pair there.
    volatile int posted;

    ServedQueuePair nextPosted;
    /// One bit for each [QueuePairList] that contains this queue pair.
    int lists;
    /// How many multicast groups it belongs to.
    int groups;

    private int number;

    /// Assigned once by [QueuePairTable], before other threads can see the queue pair.
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

    /// One turn: sends up to `budget` packets of each kind. Returns how many were sent.
    public abstract int emit(long nowNs, int budget);

    /// Whether the queue pair has a turn in the next cycle again, because the budget or a full socket stopped it. Other
    /// obstacles (window, credits, a fence) activate the queue pair when they end.
    public abstract boolean hasMoreToEmit();

    /// Sends the pending acknowledgement; with `atOnce` even one that may wait. False when it is still pending.
    public abstract boolean sendAcknowledgement(long nowNs, boolean atOnce);

    /// Null when the queue pair takes the packet in its present state, else the counter of the reason.
    public abstract Counter admits(PacketView packet, long sourceHigh, long sourceLow);

    public abstract void onPacket(PacketView packet, long nowNs);

    /// An internal fault ends this queue pair.
    public abstract void onEngineFault();
}
