package io.verbena.tools.blast;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/// What messages hold: the printable characters over and over, from one buffer on into the next, as in the C program.
/// Each message has the next buffer, so the number of a message tells its content.
final class BlastPattern {
    private static final int FIRST = ' ';
    private static final int ALPHABET = '~' - ' ' + 1;
    private static final int BLOCK = 1 << 16;
    /// Copied and compared in blocks, which keeps long messages fast.
    private static final MemorySegment CHARACTERS = MemorySegment.ofArray(characters());

    private BlastPattern() {}

    private static byte[] characters() {
        byte[] characters = new byte[BLOCK + ALPHABET];
        for (int i = 0; i < characters.length; i++) {
            characters[i] = (byte) (FIRST + i % ALPHABET);
        }
        return characters;
    }

    static void fill(MemorySegment all, long size, long buffer) {
        for (long at = 0; at < size; at += BLOCK) {
            MemorySegment.copy(
                    CHARACTERS, start(size, buffer, at), all, buffer * size + at, Math.min(BLOCK, size - at));
        }
    }

    /// The first byte of the buffer that is wrong, -1 when all are right.
    static long mismatch(MemorySegment all, long size, long buffer) {
        for (long at = 0; at < size; at += BLOCK) {
            long length = Math.min(BLOCK, size - at);
            long start = start(size, buffer, at);
            long here = buffer * size + at;
            long wrong = MemorySegment.mismatch(CHARACTERS, start, start + length, all, here, here + length);
            if (wrong >= 0) {
                return at + wrong;
            }
        }
        return -1;
    }

    private static long start(long size, long buffer, long at) {
        return (buffer * size + at) % ALPHABET;
    }

    static String describe(MemorySegment all, long size, long message, long buffer, long at) {
        return "data mismatch: message %,d, byte %,d of %,d is 0x%02x, expected 0x%02x"
                .formatted(
                        message,
                        at,
                        size,
                        all.get(ValueLayout.JAVA_BYTE, buffer * size + at),
                        FIRST + start(size, buffer, at));
    }
}
