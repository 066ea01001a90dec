package io.verbena.bench.ours;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/// The content of messages, and how a receiver reads it: every byte is compared with what was sent.
final class Payload {
    /// Below this size a sum of words is faster than a comparison, which has to be set up.
    private static final int FEW_BYTES = 64;

    private final MemorySegment pattern;
    private final long[] sums;

    Payload(int largest) {
        pattern = Arena.global().allocate(largest, Long.BYTES);
        for (int i = 0; i < largest; i++) {
            pattern.set(ValueLayout.JAVA_BYTE, i, (byte) (i * 7 + (i >>> 8) + 1));
        }
        sums = new long[FEW_BYTES / Long.BYTES + 1];
        for (int words = 1; words < sums.length; words++) {
            sums[words] = sum(pattern, 0, words);
        }
    }

    void write(MemorySegment memory, long offset, int size) {
        MemorySegment.copy(pattern, 0, memory, offset, size);
    }

    /// Reads `size` bytes of a message, and fails when they differ from what was sent.
    void check(MemorySegment memory, long offset, int size) {
        boolean right = size <= FEW_BYTES && size % Long.BYTES == 0
                ? sum(memory, offset, size / Long.BYTES) == sums[size / Long.BYTES]
                : MemorySegment.mismatch(memory, offset, offset + size, pattern, 0, size) < 0;
        if (!right) {
            throw new IllegalStateException("a message of " + size + " bytes is not what was sent");
        }
    }

    private static long sum(MemorySegment memory, long offset, int words) {
        long sum = 0;
        for (int i = 0; i < words; i++) {
            sum += memory.get(ValueLayout.JAVA_LONG_UNALIGNED, offset + (long) i * Long.BYTES);
        }
        return sum;
    }
}
