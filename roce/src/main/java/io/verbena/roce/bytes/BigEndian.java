package io.verbena.roce.bytes;

import static java.nio.ByteOrder.BIG_ENDIAN;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/// Network byte order over a segment, at any alignment: extended headers follow each other without padding.
public final class BigEndian {
    private static final ValueLayout.OfShort SHORT = ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(BIG_ENDIAN);
    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED.withOrder(BIG_ENDIAN);
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(BIG_ENDIAN);

    private BigEndian() {}

    public static int u8(MemorySegment p, long at) {
        return Byte.toUnsignedInt(p.get(ValueLayout.JAVA_BYTE, at));
    }

    public static void u8(MemorySegment p, long at, int value) {
        p.set(ValueLayout.JAVA_BYTE, at, (byte) value);
    }

    public static int u16(MemorySegment p, long at) {
        return Short.toUnsignedInt(p.get(SHORT, at));
    }

    public static void u16(MemorySegment p, long at, int value) {
        p.set(SHORT, at, (short) value);
    }

    /// Three bytes, never touching the fourth: a 24-bit field may be the last of a segment.
    public static int u24(MemorySegment p, long at) {
        return u16(p, at) << 8 | u8(p, at + 2);
    }

    public static void u24(MemorySegment p, long at, int value) {
        u16(p, at, value >>> 8);
        u8(p, at + 2, value);
    }

    public static int i32(MemorySegment p, long at) {
        return p.get(INT, at);
    }

    public static void i32(MemorySegment p, long at, int value) {
        p.set(INT, at, value);
    }

    public static long i64(MemorySegment p, long at) {
        return p.get(LONG, at);
    }

    public static void i64(MemorySegment p, long at, long value) {
        p.set(LONG, at, value);
    }

    /// The low 24 bits of the word at `at`, for fields that follow a byte of flags.
    public static int low24(MemorySegment p, long at) {
        return i32(p, at) & 0xFF_FFFF;
    }

    /// Replaces the low 24 bits of the word at `at` and keeps the byte in front of them.
    public static void low24(MemorySegment p, long at, int value) {
        u24(p, at + 1, value);
    }

    public static boolean bit(MemorySegment p, long at, int mask) {
        return (p.get(ValueLayout.JAVA_BYTE, at) & mask) != 0;
    }

    public static void bit(MemorySegment p, long at, int mask, boolean value) {
        int old = u8(p, at);
        u8(p, at, value ? old | mask : old & ~mask);
    }
}
