package io.verbena.roce.header;

import io.verbena.roce.bytes.BigEndian;
import java.lang.foreign.MemorySegment;

/// Immediate data: four bytes handed to the receiver with its completion.
public final class ImmDt {
    public static final int BYTES = 4;

    private ImmDt() {}

    public static int immediate(MemorySegment p, long at) {
        return BigEndian.i32(p, at);
    }

    public static void immediate(MemorySegment p, long at, int value) {
        BigEndian.i32(p, at, value);
    }
}
