package io.verbena.soft.qp;

/// How many packets may be in flight. Frames that arrive faster than they are read wait in the receiver's socket
/// buffer, and frames that do not fit are lost. So the window fits into a third of that buffer. The size of the peer's
/// buffer is unknown and assumed to be that of this side.
record SendWindow(int packets, int acknowledgeEvery, int readPackets) {
    private static final int MOST_PACKETS = 256;
    private static final int FEWEST_PACKETS = 8;
    private static final int MOST_READ_PACKETS = 62;
    /// Linux charges a frame at about twice its size.
    private static final int CHARGE = 2;

    private static final int OVERHEAD_BYTES = 256;

    static SendWindow of(int receiveBufferBytes, int mtu) {
        int fitting = receiveBufferBytes / 3 / (CHARGE * (mtu + OVERHEAD_BYTES));
        int packets = Math.clamp(fitting, FEWEST_PACKETS, MOST_PACKETS);
        return new SendWindow(packets, Math.max(1, packets / 8), Math.min(MOST_READ_PACKETS, packets / 2));
    }
}
