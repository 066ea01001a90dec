package io.verbena.roce.header;

import io.verbena.roce.bytes.BigEndian;
import java.lang.foreign.MemorySegment;

/// Atomic acknowledge extended transport header.
public final class AtomicAckEth {
    public static final int BYTES = 8;

    private AtomicAckEth() {}

    /// The value in remote memory before the operation, as a big-endian number.
    public static long original(MemorySegment p, long at) {
        return BigEndian.i64(p, at);
    }

    /// Sets the value that the memory had before.
    public static void original(MemorySegment p, long at, long value) {
        BigEndian.i64(p, at, value);
    }
}
