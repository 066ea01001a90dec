package io.verbena.soft.net;

/// A copy of a frame that is on its way, and when it is due.
final class HeldFrame {
    final byte[] bytes = new byte[Wire.FRAME_BYTES];
    int length;
    long dueNs;
    long sequence;
    long sourceHigh;
    long sourceLow;
    long destinationHigh;
    long destinationLow;
    long traffic;

    void from(long high, long low) {
        sourceHigh = high;
        sourceLow = low;
    }

    void to(long high, long low) {
        destinationHigh = high;
        destinationLow = low;
    }

    boolean isBefore(HeldFrame other) {
        long differenceNs = dueNs - other.dueNs;
        return differenceNs < 0 || differenceNs == 0 && sequence - other.sequence < 0;
    }
}
