package io.verbena.soft.net;

/// A copy of a frame that is on its way, and when it is due.
final class HeldFrame {
    final byte[] bytes = new byte[Wire.FRAME_BYTES];
    int length;
    long dueNs;
    long sequence;
    /// The other end: the destination in a sender's hands, the source in a receiver's.
    long peerHigh;

    long peerLow;

    boolean isBefore(HeldFrame other) {
        long differenceNs = dueNs - other.dueNs;
        return differenceNs < 0 || differenceNs == 0 && sequence - other.sequence < 0;
    }
}
