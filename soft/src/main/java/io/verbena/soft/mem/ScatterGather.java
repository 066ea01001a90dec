package io.verbena.soft.mem;

/// The layout of a buffer in a work queue's slot, as two longs: the address, and the length (high half, unsigned) with
/// the lkey (low half).
public final class ScatterGather {
    public static final int WORDS = 2;

    private ScatterGather() {}

    public static long lengthAndKey(long length, int lkey) {
        return length << 32 | lkey & 0xFFFF_FFFFL;
    }

    public static long length(long lengthAndKey) {
        return lengthAndKey >>> 32;
    }

    public static int lkey(long lengthAndKey) {
        return (int) lengthAndKey;
    }
}
