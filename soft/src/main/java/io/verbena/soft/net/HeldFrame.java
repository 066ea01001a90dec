package io.verbena.soft.net;

import java.lang.foreign.MemorySegment;

/// A copy of a delayed frame, with its due time.
final class HeldFrame {
    final Frame frame;
    long dueNs;
    long sequence;

    HeldFrame() {
        MemorySegment memory = FrameQueue.frames(1);
        frame = new Frame(memory, memory.asByteBuffer());
    }

    boolean isBefore(HeldFrame other) {
        long differenceNs = dueNs - other.dueNs;
        return differenceNs < 0 || differenceNs == 0 && sequence - other.sequence < 0;
    }
}
