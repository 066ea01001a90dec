package io.verbena.soft.qp;

/// How much of a [Window] is made use of: all of it, until packets are lost. Each loss halves it, since what is sent
/// behind a lost packet is sent for nothing, and loss may mean that somebody on the way has no room; each
/// acknowledgement lets it grow back. Owned by the engine.
final class Pace {
    /// About one train of the longest packets.
    static final int FEWEST_PACKETS = 16;

    private static final int GROWTH = 4;

    private int most;
    private int packets;

    void reset(Window window) {
        most = window.packets();
        packets = most;
    }

    /// Packets that may be on the way.
    int packets() {
        return packets;
    }

    void onLoss() {
        packets = Math.min(most, Math.max(FEWEST_PACKETS, packets / 2));
    }

    /// So many packets arrived: when all that may be on the way did, it is a quarter more.
    void onArrived(int count) {
        if (packets < most && count > 0) {
            packets = Math.min(most, packets + (count + GROWTH - 1) / GROWTH);
        }
    }
}
