package io.verbena.roce.packet;

/// A cache of what the IP and UDP headers of recent packets contribute to their ICRC.
///
/// A CRC is linear: the CRC of headers and transport bytes is the CRC of the transport bytes alone, XORed with a value
/// that depends only on the headers and on the number of bytes behind them. Packets to one peer repeat both, so most
/// packets need one pass over the transport bytes only. Belongs to one thread.
final class HeaderShares {
    private static final int SLOTS = 256;
    private static final int WORDS = 5;
    private static final long SPREAD = 0x9E37_79B9_7F4A_7C15L;
    private static final int SHIFT = Long.SIZE - Integer.numberOfTrailingZeros(SLOTS);

    /// No packet has this shape: its length would be negative.
    private static final long EMPTY = -1;

    private final long[] keys = new long[SLOTS * WORDS];
    private final int[] shares = new int[SLOTS];

    HeaderShares() {
        for (int slot = 0; slot < SLOTS; slot++) {
            keys[slot * WORDS] = EMPTY;
        }
    }

    /// Where packets like this one are looked for.
    ///
    /// @param shape length and source port; identifications are left to [IdentificationResidue]
    int slot(long srcLo, long dstLo, long shape) {
        return (int) (((srcLo * 31 + dstLo) * 31 + shape) * SPREAD >>> SHIFT);
    }

    boolean holds(int slot, long srcHi, long srcLo, long dstHi, long dstLo, long shape) {
        int at = slot * WORDS;
        return keys[at] == shape
                && keys[at + 1] == srcLo
                && keys[at + 2] == dstLo
                && keys[at + 3] == srcHi
                && keys[at + 4] == dstHi;
    }

    int share(int slot) {
        return shares[slot];
    }

    void put(int slot, long srcHi, long srcLo, long dstHi, long dstLo, long shape, int share) {
        int at = slot * WORDS;
        keys[at] = shape;
        keys[at + 1] = srcLo;
        keys[at + 2] = dstLo;
        keys[at + 3] = srcHi;
        keys[at + 4] = dstHi;
        shares[slot] = share;
    }
}
