package io.verbena.tools.blast;

import io.verbena.verbs.MemoryRegion;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/// How many receives the server has posted again since it last told: 8 bytes, big-endian. The client may send that many
/// messages more. Three of them can be on their way at a time.
final class Acknowledgement {
    static final int BYTES = 8;
    /// Both sides have that many buffers for them.
    static final int BUFFERS = 3;

    private static final ValueLayout.OfLong U64 = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);

    private Acknowledgement() {}

    static void write(MemoryRegion region, int slot, long messages) {
        region.memory().set(U64, (long) slot * BYTES, messages);
    }

    static long read(MemoryRegion region, int slot) {
        return region.memory().get(U64, (long) slot * BYTES);
    }
}
