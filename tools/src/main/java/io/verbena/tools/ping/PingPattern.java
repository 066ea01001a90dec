package io.verbena.tools.ping;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/// What a message holds: printable characters that begin one further with each message, so that none can be taken for
/// the one before.
final class PingPattern {
    private static final int FIRST = ' ';
    private static final int ALPHABET = '~' - ' ' + 1;
    private static final int BLOCK = 1 << 16;
    /// Copied and compared in blocks, which keeps long messages fast.
    private static final MemorySegment CHARACTERS = MemorySegment.ofArray(characters());

    private PingPattern() {}

    private static byte[] characters() {
        byte[] characters = new byte[BLOCK + ALPHABET];
        for (int i = 0; i < characters.length; i++) {
            characters[i] = (byte) (FIRST + i % ALPHABET);
        }
        return characters;
    }

    /// Fills the buffer with the message of that number.
    static void fill(MemorySegment buffer, long message) {
        for (long at = 0; at < buffer.byteSize(); at += BLOCK) {
            long length = Math.min(BLOCK, buffer.byteSize() - at);
            MemorySegment.copy(CHARACTERS, start(message, at), buffer, at, length);
        }
    }

    /// The first byte that is not as it should be in the message of that number, -1 when all are right.
    static long mismatch(MemorySegment actual, long message) {
        for (long at = 0; at < actual.byteSize(); at += BLOCK) {
            long length = Math.min(BLOCK, actual.byteSize() - at);
            long start = start(message, at);
            long wrong = MemorySegment.mismatch(CHARACTERS, start, start + length, actual, at, at + length);
            if (wrong >= 0) {
                return at + wrong;
            }
        }
        return -1;
    }

    private static long start(long message, long at) {
        return (message + at) % ALPHABET;
    }

    /// What is wrong at that byte.
    static String describe(MemorySegment actual, long message, long at) {
        return "data mismatch: message %,d, byte %,d of %,d is 0x%02x, expected 0x%02x"
                .formatted(
                        message,
                        at,
                        actual.byteSize(),
                        actual.get(ValueLayout.JAVA_BYTE, at),
                        FIRST + (message + at) % ALPHABET);
    }
}
