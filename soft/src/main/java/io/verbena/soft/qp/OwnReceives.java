package io.verbena.soft.qp;

import io.verbena.soft.cq.CompletionSource;
import io.verbena.soft.mem.MemoryUser;

/// Receives of the queue pair's own queue: the one in hand is the oldest, which stays in its slot.
final class OwnReceives extends ReceiveInHand {
    private final MemoryUser user;
    private final ReceiveQueue queue;

    OwnReceives(MemoryUser user, ReceiveQueue queue) {
        this.user = user;
        this.queue = queue;
    }

    ReceiveQueue queue() {
        return queue;
    }

    @Override
    boolean take() {
        return !queue.isEmpty();
    }

    @Override
    boolean takeToFlush() {
        return !queue.isEmpty();
    }

    @Override
    void clear() {
        queue.clear();
    }

    @Override
    boolean isSharedQueue() {
        return false;
    }

    @Override
    MemoryUser user() {
        return user;
    }

    @Override
    long wrId() {
        return queue.wrId(queue.head());
    }

    @Override
    long[] words() {
        return queue.words(queue.head());
    }

    @Override
    int buffersAt() {
        return queue.buffersAt(queue.head());
    }

    @Override
    int bufferCount() {
        return queue.bufferCount(queue.head());
    }

    @Override
    long capacityBytes() {
        return queue.capacityBytes(queue.head());
    }

    @Override
    CompletionSource source() {
        return queue;
    }

    @Override
    void onReported() {
        queue.onReported();
        queue.retire();
    }

    @Override
    void onTaken() {
        queue.retire();
    }

    @Override
    void onLost() {
        queue.onLost();
    }
}
