package io.verbena.roce.header;

import io.verbena.roce.bytes.BigEndian;
import java.lang.foreign.MemorySegment;

/// Immediate data: four bytes that the receiver's completion shows.
public final class ImmDt {
    public static final int BYTES = 4;

    private ImmDt() {}

    /// The four bytes beside the message, as a big-endian number.
    public static int immediate(MemorySegment p, long at) {
        return BigEndian.i32(p, at);
    }

    /// Sets the four bytes beside the message, as a big-endian number.
    public static void immediate(MemorySegment p, long at, int value) {
        BigEndian.i32(p, at, value);
    }
}
