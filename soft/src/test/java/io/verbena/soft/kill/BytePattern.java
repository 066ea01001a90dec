package io.verbena.soft.kill;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/// Bytes that both sides of a connection compute from a number.
final class BytePattern {
    private static final ValueLayout.OfLong WORD = ValueLayout.JAVA_LONG_UNALIGNED;
    private static final long STEP = 0x9E37_79B9_7F4A_7C15L;

    private BytePattern() {}

    static void fill(MemorySegment memory, long at, long bytes, long seed) {
        long word = mix(seed);
        long done = 0;
        for (; done + Long.BYTES <= bytes; done += Long.BYTES, word += STEP) {
            memory.set(WORD, at + done, word);
        }
        for (; done < bytes; done++, word >>>= Byte.SIZE) {
            memory.set(ValueLayout.JAVA_BYTE, at + done, (byte) word);
        }
    }

    /// Throws when the bytes differ.
    static void check(String what, MemorySegment memory, long at, long bytes, long seed) {
        long word = mix(seed);
        long done = 0;
        for (; done + Long.BYTES <= bytes; done += Long.BYTES, word += STEP) {
            require(what, at + done, memory.get(WORD, at + done), word);
        }
        for (; done < bytes; done++, word >>>= Byte.SIZE) {
            require(what, at + done, memory.get(ValueLayout.JAVA_BYTE, at + done), (byte) word);
        }
    }

    private static void require(String what, long at, long found, long expected) {
        if (found != expected) {
            throw new IllegalStateException("%s: 0x%x at %d, not 0x%x".formatted(what, found, at, expected));
        }
    }

    static long mix(long seed) {
        long z = (seed + STEP) * 0xBF58_476D_1CE4_E5B9L;
        return (z ^ z >>> 31) * 0x94D0_49BB_1331_11EBL;
    }
}
