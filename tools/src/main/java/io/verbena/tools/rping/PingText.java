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
        for (long i = 0; i < size; i++) {
            buffer.set(ValueLayout.JAVA_BYTE, i, expected(head, ping, i, size));
        }
    }

    /// The first byte of `actual` that is not as it should be in that ping, -1 when all are right.
    static long mismatch(MemorySegment actual, long ping) {
        byte[] head = head(ping);
        for (long i = 0; i < actual.byteSize(); i++) {
            if (actual.get(ValueLayout.JAVA_BYTE, i) != expected(head, ping, i, actual.byteSize())) {
                return i;
            }
        }
        return -1;
    }

    private static byte expected(byte[] head, long ping, long at, long size) {
        if (at == size - 1) {
            return 0;
        }
        return at < head.length ? head[(int) at] : letter(ping, at - head.length);
    }

    /// What is wrong at that byte.
    static String describe(MemorySegment actual, long ping, long at) {
        long size = actual.byteSize();
        return "data mismatch! ping %d, byte %d of %d is 0x%02x, expected 0x%02x"
                .formatted(ping, at, size, actual.get(ValueLayout.JAVA_BYTE, at), expected(head(ping), ping, at, size));
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
