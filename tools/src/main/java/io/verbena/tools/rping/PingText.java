package io.verbena.tools.rping;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;

/// The content of a ping, byte for byte as in the C program: `rdma-ping-N: `, then the characters from 'A' to 'z' over
/// and over, beginning one further with each ping, and a terminating zero.
final class PingText {
    /// Holds the longest number and the words around it.
    static final int SHORTEST = 23;
    /// The limit of the C program.
    static final int LONGEST = 65535;
    /// The default of the C program.
    static final int USUAL = 64;

    private static final int FIRST = 'A';
    private static final int ALPHABET = 'z' - 'A' + 1;
    /// The letters of all pings: those of one ping begin at its number modulo the alphabet. They are copied and
    /// compared in one call, which is fast.
    private static final MemorySegment LETTERS = MemorySegment.ofArray(letters());

    private PingText() {}

    private static byte[] letters() {
        byte[] letters = new byte[LONGEST + ALPHABET];
        for (int i = 0; i < letters.length; i++) {
            letters[i] = (byte) (FIRST + i % ALPHABET);
        }
        return letters;
    }

    /// Fills all of `buffer`, at least [#SHORTEST] bytes, with the text of that ping.
    static void fill(MemorySegment buffer, long ping) {
        byte[] head = head(ping);
        long last = buffer.byteSize() - 1;
        MemorySegment.copy(head, 0, buffer, ValueLayout.JAVA_BYTE, 0, head.length);
        MemorySegment.copy(LETTERS, ping % ALPHABET, buffer, head.length, last - head.length);
        buffer.set(ValueLayout.JAVA_BYTE, last, (byte) 0);
    }

    /// Index of the first byte of `actual` that is wrong in that ping, or -1.
    static long mismatch(MemorySegment actual, long ping) {
        byte[] head = head(ping);
        long last = actual.byteSize() - 1;
        long wrong = MemorySegment.ofArray(head).mismatch(actual.asSlice(0, head.length));
        if (wrong >= 0) {
            return wrong;
        }
        long first = ping % ALPHABET;
        wrong = MemorySegment.mismatch(LETTERS, first, first + last - head.length, actual, head.length, last);
        if (wrong >= 0) {
            return head.length + wrong;
        }
        return actual.get(ValueLayout.JAVA_BYTE, last) == 0 ? -1 : last;
    }

    /// Describes the wrong byte.
    static String describe(MemorySegment actual, long ping, long at) {
        long size = actual.byteSize();
        MemorySegment expected = MemorySegment.ofArray(new byte[(int) size]);
        fill(expected, ping);
        return "data mismatch! ping %d, byte %d of %d is 0x%02x, expected 0x%02x"
                .formatted(
                        ping, at, size, actual.get(ValueLayout.JAVA_BYTE, at), expected.get(ValueLayout.JAVA_BYTE, at));
    }

    /// Length without the zero, as `strlen` counts it; all of the buffer when there is no zero.
    static long length(MemorySegment buffer) {
        long size = buffer.byteSize();
        long length = 0;
        while (length + Long.BYTES <= size && !hasZero(buffer.get(ValueLayout.JAVA_LONG_UNALIGNED, length))) {
            length += Long.BYTES;
        }
        while (length < size && buffer.get(ValueLayout.JAVA_BYTE, length) != 0) {
            length++;
        }
        return length;
    }

    /// Whether one of eight bytes is 0: only then a borrow sets a top bit that was not set before.
    private static boolean hasZero(long bytes) {
        return (bytes - 0x0101_0101_0101_0101L & ~bytes & 0x8080_8080_8080_8080L) != 0;
    }

    /// The text before the zero, with dots for unprintable characters: it came from the network.
    static String read(MemorySegment buffer) {
        byte[] bytes = buffer.asSlice(0, length(buffer)).toArray(ValueLayout.JAVA_BYTE);
        return new String(bytes, StandardCharsets.ISO_8859_1).replaceAll("[^ -~]", ".");
    }

    private static byte[] head(long ping) {
        return ("rdma-ping-" + ping + ": ").getBytes(StandardCharsets.US_ASCII);
    }
}
