package io.verbena.tools.blast;

import io.verbena.verbs.MemoryRegion;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/// The number of receives that the server has posted again since its last acknowledgement: 8 bytes, big-endian. The
/// client may send that many messages more. Up to three acknowledgements can be in flight.
final class Acknowledgement {
    static final int BYTES = 8;
    /// Both sides have this many buffers for acknowledgements.
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
