package io.verbena.soft.qp;

/// How many packets may be on the way. Frames that arrive faster than they are read wait in the receiver's
/// socket buffer, and what does not fit is lost; so the window fits into a third of it. The peer's buffer is
/// not known: it is taken to be like ours.
record Window(int packets, int acknowledgeEvery, int readPackets) {
    private static final int MOST_PACKETS = 256;
    private static final int FEWEST_PACKETS = 8;
    private static final int MOST_READ_PACKETS = 62;
    /// Linux charges a frame at about twice its size.
    private static final int CHARGE = 2;

    private static final int OVERHEAD_BYTES = 256;

    static Window of(int receiveBufferBytes, int mtu) {
        int fitting = receiveBufferBytes / 3 / (CHARGE * (mtu + OVERHEAD_BYTES));
        int packets = Math.clamp(fitting, FEWEST_PACKETS, MOST_PACKETS);
        return new Window(packets, Math.max(1, packets / 8), Math.min(MOST_READ_PACKETS, packets / 2));
    }
}
