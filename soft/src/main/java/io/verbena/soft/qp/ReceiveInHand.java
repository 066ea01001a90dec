package io.verbena.soft.qp;

import io.verbena.soft.cq.CompletionSource;

/// The receive that the message being received goes into. It is taken when a message begins and stays in hand until it
/// is reported. Owned by the engine.
final class ReceiveInHand {
    private final ReceiveQueue queue;

    ReceiveInHand(ReceiveQueue queue) {
        this.queue = queue;
    }

    /// Has one in hand, or takes the next one; false when there is none.
    boolean take() {
        return !queue.isEmpty();
    }

    /// As [#take], for a queue pair that serves no message any more.
    boolean takeToFlush() {
        return !queue.isEmpty();
    }

    /// Forgets all receives without a trace.
    void clear() {
        queue.clear();
    }

    long wrId() {
        return queue.wrId(queue.head());
    }

    /// Words that hold the buffers, from [#buffersAt] on.
    long[] words() {
        return queue.words(queue.head());
    }

    int buffersAt() {
        return queue.buffersAt(queue.head());
    }

    int bufferCount() {
        return queue.bufferCount(queue.head());
    }

    long capacityBytes() {
        return queue.capacityBytes(queue.head());
    }

    /// Whose completion it is.
    CompletionSource source() {
        return queue;
    }

    /// Its completion is about to be queued; nothing is in hand any more.
    void onReported() {
        queue.onReported();
        queue.retire();
    }

    /// The completion queue was full, so nobody will take that completion.
    void onLost() {
        queue.onLost();
    }
}
