package io.verbena.soft.qp;

/// How much of a [SendWindow] is used: all of it, until packets are lost. Each loss halves the congestion window,
/// because packets behind a lost one are sent in vain, and because a full buffer on the path may have caused the loss.
/// Each acknowledgement lets it grow back. Owned by the engine.
final class CongestionWindow {
    /// About one train of the longest packets.
    static final int FEWEST_PACKETS = 16;

    private static final int GROWTH = 4;

    private int most;
    private int packets;

    void reset(SendWindow window) {
        most = window.packets();
        packets = most;
    }

    /// Packets that may be in flight.
    int packets() {
        return packets;
    }

    void onLoss() {
        packets = Math.min(most, Math.max(FEWEST_PACKETS, packets / 2));
    }

    /// Packets were acknowledged. Each full window of them makes the window a quarter larger.
    void onArrived(int count) {
        if (packets < most && count > 0) {
            packets = Math.min(most, packets + (count + GROWTH - 1) / GROWTH);
        }
    }
}
