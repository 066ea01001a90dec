package io.verbena.tools.blast;

import io.verbena.tools.program.PrintablePattern;
import java.lang.foreign.MemorySegment;

/// What messages hold: the printable characters over and over, from one buffer on into the next, as in the C program.
/// Each message has the next buffer, so the number of a message tells its content.
final class BlastPattern {
    private BlastPattern() {}

    private static MemorySegment message(MemorySegment all, long size, long buffer) {
        return all.asSlice(buffer * size, size);
    }

    static void fill(MemorySegment all, long size, long buffer) {
        PrintablePattern.fill(message(all, size, buffer), buffer * size);
    }

    /// The first byte of the buffer that is wrong, -1 when all are right.
    static long mismatch(MemorySegment all, long size, long buffer) {
        return PrintablePattern.mismatch(message(all, size, buffer), buffer * size);
    }

    static String describe(MemorySegment all, long size, long message, long buffer, long at) {
        return PrintablePattern.describe(message(all, size, buffer), message, buffer * size, at);
    }
}
