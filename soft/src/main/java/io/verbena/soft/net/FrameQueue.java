package io.verbena.soft.net;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;

/// The frames that wait to leave: a ring of slots, first in, first out. It starts over at slot 0 whenever it runs
/// empty, so that a batch seldom wraps and the same warm memory is used again.
///
/// The memory lives as long as somebody can reach it: a frame handler or a caller that comes late never touches
/// freed memory.
final class FrameQueue {
    static final int SLOTS = 64;

    private static final int ALIGNMENT = 128;

    private final MemorySegment memory = frames(SLOTS);
    private final ByteBuffer bytes = memory.asByteBuffer();
    private int head;
    private int count;

    /// Memory for frames, one after the other.
    static MemorySegment frames(int slots) {
        return Arena.ofAuto().allocate((long) slots * Wire.FRAME_BYTES, ALIGNMENT);
    }

    MemorySegment memory() {
        return memory;
    }

    ByteBuffer bytes() {
        return bytes;
    }

    /// Offset of the next free slot, the same until [#commit], or -1.
    int claim() {
        return count == SLOTS ? -1 : tail() * Wire.FRAME_BYTES;
    }

    /// Appends the claimed slot and returns its number.
    int commit(int offset) {
        int slot = tail();
        if (count == SLOTS || offset != slot * Wire.FRAME_BYTES) {
            throw new IllegalStateException("commit frame at " + offset + ": claim gave "
                    + (count == SLOTS ? "none" : slot * Wire.FRAME_BYTES) + "; commit the frame claimed last");
        }
        count++;
        return slot;
    }

    boolean isEmpty() {
        return count == 0;
    }

    int head() {
        return head;
    }

    /// How many frames lie one after the other from [#head].
    int contiguous() {
        return Math.min(count, SLOTS - head);
    }

    /// Frees the oldest `n` slots.
    void release(int n) {
        count -= n;
        head = count == 0 ? 0 : (head + n) % SLOTS;
    }

    void clear() {
        release(count);
    }

    private int tail() {
        return (head + count) % SLOTS;
    }
}
