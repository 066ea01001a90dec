package io.verbena.soft.qp;

import io.verbena.soft.mem.ScatterGather;

/// The receives of a shared receive queue. As in every work queue, a receive keeps its slot until its completion is
/// polled. But the completions may be in several completion queues, which are polled at the same time.
final class SharedReceiveRing extends ReceiveQueue {
    SharedReceiveRing(int requests, int maxScatterGather) {
        super(requests, maxScatterGather);
    }

    /// Engine's side: the `wrId` of the oldest receive.
    long wrId() {
        return wrId(words(head()), slot(head()));
    }

    /// Engine's side: copies the buffers of the oldest receive. Returns how many there are.
    int take(long[] to) {
        long[] words = words(head());
        int slot = slot(head());
        int count = bufferCount(words, slot);
        System.arraycopy(words, buffersAt(slot), to, 0, count * ScatterGather.WORDS);
        onReported();
        retire();
        return count;
    }

    /// Engine's side: the number of receives that no queue pair has taken.
    long waiting() {
        return tail() - head();
    }

    @Override
    public void onTaken() {
        countTaken();
    }
}
