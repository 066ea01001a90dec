package io.verbena.tools.program;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/// The content of messages that are verified: the printable characters over and over, as in the programs of the course.
/// Each message begins one character further, so that none can be mistaken for the one before.
public final class PrintablePattern {
    private static final int FIRST = ' ';
    private static final int ALPHABET = '~' - ' ' + 1;
    private static final int BLOCK = 1 << 16;
    /// Copied and compared in blocks, which keeps long messages fast.
    private static final MemorySegment CHARACTERS = MemorySegment.ofArray(characters());

    private PrintablePattern() {}

    private static byte[] characters() {
        byte[] characters = new byte[BLOCK + ALPHABET];
        for (int i = 0; i < characters.length; i++) {
            characters[i] = (byte) (FIRST + i % ALPHABET);
        }
        return characters;
    }

    /// Fills the buffer, beginning with character number `first`.
    public static void fill(MemorySegment buffer, long first) {
        for (long at = 0; at < buffer.byteSize(); at += BLOCK) {
            long length = Math.min(BLOCK, buffer.byteSize() - at);
            MemorySegment.copy(CHARACTERS, start(first, at), buffer, at, length);
        }
    }

    /// Index of the first byte that differs from [#fill], or -1.
    public static long mismatch(MemorySegment actual, long first) {
        for (long at = 0; at < actual.byteSize(); at += BLOCK) {
            long length = Math.min(BLOCK, actual.byteSize() - at);
            long start = start(first, at);
            long wrong = MemorySegment.mismatch(CHARACTERS, start, start + length, actual, at, at + length);
            if (wrong >= 0) {
                return at + wrong;
            }
        }
        return -1;
    }

    private static long start(long first, long at) {
        return (first + at) % ALPHABET;
    }

    /// Describes the wrong byte at `at` of a message.
    public static String describe(MemorySegment actual, long message, long first, long at) {
        return "data mismatch: message %,d, byte %,d of %,d is 0x%02x, expected 0x%02x"
                .formatted(
                        message,
                        at,
                        actual.byteSize(),
                        actual.get(ValueLayout.JAVA_BYTE, at),
                        FIRST + start(first, at));
    }
}
