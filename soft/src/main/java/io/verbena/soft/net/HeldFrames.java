package io.verbena.soft.net;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.PriorityQueue;

/// Frames on their way, by the time they are due; of those due at the same time, the first added comes first.
/// Frames are taken from a pool, so that holding them allocates nothing once it is large enough.
final class HeldFrames {
    /// What a slow link's queue holds; the rest is lost, as in a switch.
    static final int CAPACITY = 16_384;

    static final long NEVER_NS = Long.MAX_VALUE >> 1;

    private static final int INITIAL_CAPACITY = 64;
    private static final Comparator<HeldFrame> BY_DUE_TIME = (a, b) -> a.isBefore(b) ? -1 : a == b ? 0 : 1;

    private final PriorityQueue<HeldFrame> frames = new PriorityQueue<>(INITIAL_CAPACITY, BY_DUE_TIME);
    private final ArrayDeque<HeldFrame> pool = new ArrayDeque<>(INITIAL_CAPACITY);
    private long sequence;

    /// Copies a frame, whose headers the caller fills in; null when there is no room left.
    HeldFrame add(ByteBuffer bytes, int offset, int length, long dueNs) {
        if (frames.size() == CAPACITY) {
            return null;
        }
        HeldFrame frame = pool.isEmpty() ? new HeldFrame() : pool.pop();
        bytes.get(offset, frame.bytes, 0, length);
        frame.length = length;
        frame.dueNs = dueNs;
        frame.sequence = sequence++;
        frames.add(frame);
        return frame;
    }

    boolean isEmpty() {
        return frames.isEmpty();
    }

    boolean isDue(long nowNs) {
        return !frames.isEmpty() && frames.peek().dueNs - nowNs <= 0;
    }

    /// When the next frame is due; only while not empty.
    long nextDueNs() {
        return frames.peek().dueNs;
    }

    /// How long until the next frame is due; 0 when it is, [#NEVER_NS] when there is none.
    long untilNextNs(long nowNs) {
        return frames.isEmpty() ? NEVER_NS : Math.max(0, frames.peek().dueNs - nowNs);
    }

    /// Takes the next frame out; give it back with [#recycle].
    HeldFrame take() {
        return frames.poll();
    }

    void recycle(HeldFrame frame) {
        pool.push(frame);
    }
}
