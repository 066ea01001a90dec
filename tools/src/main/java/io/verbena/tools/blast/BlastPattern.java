package io.verbena.tools.blast;

import io.verbena.tools.program.PrintablePattern;
import java.lang.foreign.MemorySegment;

/// The content of messages: the printable characters over and over, continued from one buffer to the next, as in the C
/// program. Messages use the buffers in turn, so the number of a message determines its content.
final class BlastPattern {
    private BlastPattern() {}

    private static MemorySegment message(MemorySegment all, long size, long buffer) {
        return all.asSlice(buffer * size, size);
    }

    static void fill(MemorySegment all, long size, long buffer) {
        PrintablePattern.fill(message(all, size, buffer), buffer * size);
    }

    /// Index of the first wrong byte in the buffer, or -1.
    static long mismatch(MemorySegment all, long size, long buffer) {
        return PrintablePattern.mismatch(message(all, size, buffer), buffer * size);
    }

    static String describe(MemorySegment all, long size, long message, long buffer, long at) {
        return PrintablePattern.describe(message(all, size, buffer), message, buffer * size, at);
    }
}
