package io.verbena.roce.header;

import io.verbena.roce.bytes.BigEndian;
import java.lang.foreign.MemorySegment;

/// Invalidate extended transport header.
public final class Ieth {
    public static final int BYTES = 4;

    private Ieth() {}

    /// The remote key the receiver invalidates.
    public static int rkey(MemorySegment p, long at) {
        return BigEndian.i32(p, at);
    }

    /// Sets the key that is revoked.
    public static void rkey(MemorySegment p, long at, int value) {
        BigEndian.i32(p, at, value);
    }
}
