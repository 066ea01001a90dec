package io.verbena.tools.demo;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/// Content from which the place of each byte can be derived: a wrong, missing or shifted byte is found, and also one
/// left over from an earlier round, because each round has its own seed.
final class Pattern {
    private static final ValueLayout.OfLong WORD = ValueLayout.JAVA_LONG_UNALIGNED;
    private static final long SPREAD = 0x9E37_79B9_7F4A_7C15L; // odd, so all words of a buffer differ

    private Pattern() {}

    static void fill(MemorySegment memory, long seed) {
        long words = memory.byteSize() / 8;
        for (long i = 0; i < words; i++) {
            memory.set(WORD, i * 8, word(i, seed));
        }
        for (long at = words * 8; at < memory.byteSize(); at++) {
            memory.set(ValueLayout.JAVA_BYTE, at, lastByte(at, seed));
        }
    }

    /// Offset of the first word or byte that differs from [#fill]; -1 when there is none.
    static long mismatch(MemorySegment memory, long seed) {
        long words = memory.byteSize() / 8;
        for (long i = 0; i < words; i++) {
            if (memory.get(WORD, i * 8) != word(i, seed)) {
                return i * 8;
            }
        }
        for (long at = words * 8; at < memory.byteSize(); at++) {
            if (memory.get(ValueLayout.JAVA_BYTE, at) != lastByte(at, seed)) {
                return at;
            }
        }
        return -1;
    }

    private static long word(long index, long seed) {
        return (index + 1 + (seed << 40)) * SPREAD;
    }

    private static byte lastByte(long at, long seed) {
        return (byte) (word(at / 8, seed) >>> 8 * (at & 7));
    }
}
