package io.verbena.rdmacore.lib;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/// Memory by its address, as C sees it. Nothing is checked: a wrong address ends the process, so addresses come only
/// from the libraries or from segments of this module.
public final class Memory {
    /// Layouts without alignment: the check would cost, and C structs are aligned anyway.
    private static final ValueLayout.OfShort SHORT = ValueLayout.JAVA_SHORT_UNALIGNED;

    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED;
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED;
    private static final ValueLayout.OfInt BIG_ENDIAN_INT = INT.withOrder(ByteOrder.BIG_ENDIAN);
    private static final ValueLayout.OfLong BIG_ENDIAN_LONG = LONG.withOrder(ByteOrder.BIG_ENDIAN);
    private static final MemorySegment ALL = all();

    private Memory() {}

    @SuppressWarnings("restricted")
    private static MemorySegment all() {
        return MemorySegment.NULL.reinterpret(Long.MAX_VALUE);
    }

    public static byte getByte(long address) {
        return ALL.get(JAVA_BYTE, address);
    }

    public static short getShort(long address) {
        return ALL.get(SHORT, address);
    }

    public static int getInt(long address) {
        return ALL.get(INT, address);
    }

    public static long getLong(long address) {
        return ALL.get(LONG, address);
    }

    /// A number in network order, as a plain one.
    public static int getBigEndianInt(long address) {
        return ALL.get(BIG_ENDIAN_INT, address);
    }

    public static long getBigEndianLong(long address) {
        return ALL.get(BIG_ENDIAN_LONG, address);
    }

    public static void putByte(long address, byte value) {
        ALL.set(JAVA_BYTE, address, value);
    }

    public static void putShort(long address, short value) {
        ALL.set(SHORT, address, value);
    }

    public static void putInt(long address, int value) {
        ALL.set(INT, address, value);
    }

    public static void putLong(long address, long value) {
        ALL.set(LONG, address, value);
    }

    public static void putBigEndianInt(long address, int value) {
        ALL.set(BIG_ENDIAN_INT, address, value);
    }

    public static void putBigEndianLong(long address, long value) {
        ALL.set(BIG_ENDIAN_LONG, address, value);
    }

    /// `bytes` bytes from `address` on, as a segment that never ends.
    public static MemorySegment segment(long address, long bytes) {
        return ALL.asSlice(address, bytes);
    }

    public static void clear(long address, long bytes) {
        ALL.asSlice(address, bytes).fill((byte) 0);
    }

    /// A string that ends with a zero byte or after `limit` bytes.
    public static String string(long address, int limit) {
        int length = 0;
        while (length < limit && getByte(address + length) != 0) {
            length++;
        }
        return new String(segment(address, length).toArray(JAVA_BYTE), StandardCharsets.UTF_8);
    }
}
