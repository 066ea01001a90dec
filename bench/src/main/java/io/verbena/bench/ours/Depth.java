package io.verbena.bench.ours;

import io.verbena.bench.side.Sizes;

/// How many messages of a size are in flight, and how many receives are posted for them. Each receive has memory of its
/// own, so that a message can be read before the next one arrives. All of it fits into a cache where possible.
final class Depth {
    static final int MOST = 128;
    static final int SMALLEST_AREA = 4096;

    private static final int LEAST = 2;
    private static final int IN_FLIGHT = 256 * Sizes.KIB;
    private static final int LEAST_DIRECT = 4;
    private static final int DIRECT_IN_FLIGHT = 64 * Sizes.MIB;
    private static final int RECEIVES_EACH = 2;

    private Depth() {}

    static int of(int size) {
        return Math.clamp(IN_FLIGHT / size, LEAST, MOST);
    }

    /// Depth of WRITEs, READs and atomics. They all use the same memory, so a large depth costs none.
    static int direct(int size) {
        return Math.clamp(DIRECT_IN_FLIGHT / size, LEAST_DIRECT, MOST);
    }

    static int receives(int size) {
        return RECEIVES_EACH * of(size);
    }

    /// How many messages a receiver takes at once: so many that the receives left are enough for those in flight, which
    /// arrive before the program has posted its receives again.
    static int batch(int size) {
        return Math.min(MeasuredConnection.BATCH, receives(size) - of(size));
    }

    /// Messages begin at cache line boundaries.
    static long stride(int size) {
        return size + 63L & -64L;
    }

    /// Bytes for the receives of every size up to `largest`.
    static long receiveArea(int largest) {
        long most = SMALLEST_AREA;
        for (int size = 1; size <= largest && size > 0; size <<= 1) {
            most = Math.max(most, receives(size) * stride(size));
        }
        return Math.max(most, receives(largest) * stride(largest));
    }
}
