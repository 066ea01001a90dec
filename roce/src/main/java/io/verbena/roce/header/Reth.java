package io.verbena.roce.header;

import io.verbena.roce.bytes.BigEndian;
import java.lang.foreign.MemorySegment;

/// RDMA extended transport header: where a write or read happens and how long the whole message is.
public final class Reth {
    public static final int BYTES = 16;

    private Reth() {}

    /// The address in the memory of the responder.
    public static long virtualAddress(MemorySegment p, long at) {
        return BigEndian.i64(p, at);
    }

    /// Sets the address in the memory of the responder.
    public static void virtualAddress(MemorySegment p, long at, long value) {
        BigEndian.i64(p, at, value);
    }

    /// The key of the memory of the responder.
    public static int rkey(MemorySegment p, long at) {
        return BigEndian.i32(p, at + 8);
    }

    /// Sets the key of the memory of the responder.
    public static void rkey(MemorySegment p, long at, int value) {
        BigEndian.i32(p, at + 8, value);
    }

    /// Bytes of the whole message, as an unsigned number of at most 2^31; padding is not counted.
    public static int length(MemorySegment p, long at) {
        return BigEndian.i32(p, at + 12);
    }

    /// Sets the number of bytes that the request is about.
    public static void length(MemorySegment p, long at, int value) {
        BigEndian.i32(p, at + 12, value);
    }

    /// [#length(MemorySegment, long)] without the sign trap at 2^31.
    public static long lengthUnsigned(MemorySegment p, long at) {
        return Integer.toUnsignedLong(BigEndian.i32(p, at + 12));
    }

    /// Writes all 16 bytes.
    public static void write(MemorySegment p, long at, long virtualAddress, int rkey, int length) {
        BigEndian.i64(p, at, virtualAddress);
        BigEndian.i64(p, at + 8, (long) rkey << 32 | Integer.toUnsignedLong(length));
    }
}
