package io.verbena.soft.net;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.PriorityQueue;

/// Delayed frames in the order of their due times, then of their addition. Frames come from a pool, so that nothing is
/// allocated once it is large enough.
final class HeldFrames {
    /// The capacity of a slow link's queue. Further frames are lost, as in a switch.
    static final int CAPACITY = 16_384;

    static final long NEVER_NS = Long.MAX_VALUE >> 1;

    private static final int INITIAL_CAPACITY = 64;
    private static final Comparator<HeldFrame> BY_DUE_TIME = (a, b) -> a.isBefore(b) ? -1 : a == b ? 0 : 1;

    private final PriorityQueue<HeldFrame> frames = new PriorityQueue<>(INITIAL_CAPACITY, BY_DUE_TIME);
    private final ArrayDeque<HeldFrame> pool = new ArrayDeque<>(INITIAL_CAPACITY);
    private long sequence;

    /// Adds a copy of a frame, whose header fields the caller sets. Null when the queue is full.
    Frame add(ByteBuffer bytes, int offset, int length, long dueNs) {
        if (frames.size() == CAPACITY) {
            return null;
        }
        HeldFrame held = pool.isEmpty() ? new HeldFrame() : pool.pop();
        held.frame.bytes().put(0, bytes, offset, length);
        held.frame.show(0, length);
        held.dueNs = dueNs;
        held.sequence = sequence++;
        frames.add(held);
        return held.frame;
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

    /// Removes the next frame. The caller returns it by [#recycle].
    HeldFrame take() {
        return frames.poll();
    }

    void recycle(HeldFrame frame) {
        pool.push(frame);
    }
}
