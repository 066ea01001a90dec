package io.verbena.roce.header;

import io.verbena.roce.bytes.BigEndian;
import java.lang.foreign.MemorySegment;

/// Datagram extended transport header: a datagram belongs to no connection, so each names its sender and shows a key.
public final class Deth {
    public static final int BYTES = 8;

    private Deth() {}

    /// Writes all 8 bytes in one store.
    public static void write(MemorySegment p, long at, int qkey, int sourceQp) {
        BigEndian.i64(p, at, (long) qkey << 32 | sourceQp & 0xFF_FFFFL);
    }

    /// The key that the datagram carries.
    public static int qkey(MemorySegment p, long at) {
        return BigEndian.i32(p, at);
    }

    /// Sets the key that the datagram carries.
    public static void qkey(MemorySegment p, long at, int value) {
        BigEndian.i32(p, at, value);
    }

    /// The number of the queue pair that the datagram comes from.
    public static int sourceQp(MemorySegment p, long at) {
        return BigEndian.low24(p, at + 4);
    }

    /// Sets the number of the queue pair that the datagram comes from.
    public static void sourceQp(MemorySegment p, long at, int value) {
        BigEndian.low24(p, at + 4, value);
    }
}
