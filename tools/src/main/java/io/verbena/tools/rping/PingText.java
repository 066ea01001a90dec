package io.verbena.tools.rping;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;

/// What a ping carries, byte for byte as the C program makes it: `rdma-ping-N: `, then the characters from 'A' to 'z'
/// over and over, beginning one further with each ping, and a zero at the end.
final class PingText {
    /// Room for the longest number and the words around it.
    static final int SHORTEST = 23;
    /// What the C program has room for.
    static final int LONGEST = 65535;
    /// What the C program takes when nobody says otherwise.
    static final int USUAL = 64;

    private static final int FIRST = 'A';
    private static final int ALPHABET = 'z' - 'A' + 1;

    private PingText() {}

    /// Fills all of `buffer` with the text of that ping.
    static void fill(MemorySegment buffer, long ping) {
        byte[] head = head(ping);
        long size = buffer.byteSize();
        MemorySegment.copy(head, 0, buffer, ValueLayout.JAVA_BYTE, 0, (int) Math.min(head.length, size));
        for (long i = head.length; i < size - 1; i++) {
            buffer.set(ValueLayout.JAVA_BYTE, i, letter(ping, i - head.length));
        }
        buffer.set(ValueLayout.JAVA_BYTE, size - 1, (byte) 0);
    }

    /// The first byte of `actual` that is not as it should be in that ping, -1 when all are right.
    static long mismatch(MemorySegment actual, long ping) {
        byte[] expected = new byte[(int) actual.byteSize()];
        fill(MemorySegment.ofArray(expected), ping);
        return MemorySegment.ofArray(expected).mismatch(actual);
    }

    /// What is wrong at that byte.
    static String describe(MemorySegment actual, long ping, long at) {
        byte[] expected = new byte[(int) actual.byteSize()];
        fill(MemorySegment.ofArray(expected), ping);
        return "data mismatch! ping %d, byte %d of %d is 0x%02x, expected 0x%02x"
                .formatted(
                        ping, at, actual.byteSize(), actual.get(ValueLayout.JAVA_BYTE, at) & 0xFF, expected[(int) at]);
    }

    /// Length without the zero, as `strlen` counts it; all of the buffer when there is no zero.
    static long length(MemorySegment buffer) {
        for (long i = 0; i < buffer.byteSize(); i++) {
            if (buffer.get(ValueLayout.JAVA_BYTE, i) == 0) {
                return i;
            }
        }
        return buffer.byteSize();
    }

    /// The text up to the zero.
    static String read(MemorySegment buffer) {
        byte[] bytes = buffer.asSlice(0, length(buffer)).toArray(ValueLayout.JAVA_BYTE);
        return new String(bytes, StandardCharsets.ISO_8859_1);
    }

    private static byte[] head(long ping) {
        return ("rdma-ping-" + ping + ": ").getBytes(StandardCharsets.US_ASCII);
    }

    private static byte letter(long ping, long at) {
        return (byte) (FIRST + (ping + at) % ALPHABET);
    }
}
