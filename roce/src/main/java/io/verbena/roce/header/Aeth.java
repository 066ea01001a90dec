package io.verbena.roce.header;

import io.verbena.roce.bytes.BigEndian;
import java.lang.foreign.MemorySegment;

/// Acknowledge extended transport header: a syndrome (see `Syndrome`) and the message sequence number.
public final class Aeth {
    public static final int BYTES = 4;

    private Aeth() {}

    /// Writes all 4 bytes in one store.
    public static void write(MemorySegment p, long at, int syndrome, int msn) {
        BigEndian.i32(p, at, syndrome << 24 | msn & 0xFF_FFFF);
    }

    /// The syndrome, which says what kind of answer this is.
    public static int syndrome(MemorySegment p, long at) {
        return BigEndian.u8(p, at);
    }

    /// Sets the syndrome, which says what kind of answer this is.
    public static void syndrome(MemorySegment p, long at, int value) {
        BigEndian.u8(p, at, value);
    }

    /// Messages the responder has completed, modulo 2^24.
    public static int msn(MemorySegment p, long at) {
        return BigEndian.low24(p, at);
    }

    /// Sets the message sequence number.
    public static void msn(MemorySegment p, long at, int value) {
        BigEndian.low24(p, at, value);
    }
}
