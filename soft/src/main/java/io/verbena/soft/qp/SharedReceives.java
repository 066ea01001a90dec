package io.verbena.soft.qp;

import io.verbena.soft.cq.CompletionSource;
import io.verbena.soft.mem.MemoryUser;

/// Receives from a shared queue: the one in hand was copied out of it and is this queue pair's alone.
final class SharedReceives extends ReceiveInHand {
    private final SoftSharedReceiveQueue queue;
    private final long[] words;
    private boolean held;
    private long wrId;
    private int count;

    SharedReceives(SoftSharedReceiveQueue queue) {
        this.queue = queue;
        this.words = queue.newHand();
    }

    @Override
    boolean take() {
        if (held) {
            return true;
        }
        held = queue.take(this);
        return held;
    }

    /// What the queue hands out; under its lock.
    void fill(SharedReceiveRing ring) {
        wrId = ring.wrId(ring.head());
        count = ring.take(words);
    }

    @Override
    boolean takeToFlush() {
        return held;
    }

    @Override
    void clear() {
        if (held) {
            held = false;
            queue.onLost();
        }
    }

    @Override
    boolean isSharedQueue() {
        return true;
    }

    @Override
    MemoryUser user() {
        return queue;
    }

    @Override
    long wrId() {
        return wrId;
    }

    @Override
    long[] words() {
        return words;
    }

    @Override
    int buffersAt() {
        return 0;
    }

    @Override
    int bufferCount() {
        return count;
    }

    @Override
    long capacityBytes() {
        return ReceiveQueue.capacityBytes(words, 0, count);
    }

    @Override
    CompletionSource source() {
        return queue.ring();
    }

    @Override
    void onReported() {
        held = false;
    }

    @Override
    void onTaken() {
        held = false;
        queue.ring().onTaken();
    }

    @Override
    void onLost() {
        queue.onLost();
    }
}
