package io.verbena.roce.mad;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/// Checks and copies shared by the message records.
final class Field {
    static final byte[] EMPTY = {};

    private Field() {}

    /// Refuses a number that does not fit its field instead of sending a truncated one.
    static void fits(String name, int value, int bits) {
        if (value >>> bits != 0) {
            throw new IllegalArgumentException("%s is %d, its field has %d bits".formatted(name, value, bits));
        }
    }

    /// A copy of `data`, of at most `limit` bytes.
    static byte[] limited(String name, byte[] data, int limit) {
        if (data.length > limit) {
            throw new IllegalArgumentException("%s has %d bytes, the limit is %d".formatted(name, data.length, limit));
        }
        return data.clone();
    }

    static byte[] read(MemorySegment p, long at, int size) {
        return p.asSlice(at, size).toArray(ValueLayout.JAVA_BYTE);
    }

    static void write(MemorySegment p, long at, byte[] data) {
        MemorySegment.copy(data, 0, p, ValueLayout.JAVA_BYTE, at, data.length);
    }
}
