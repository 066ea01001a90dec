package io.verbena.soft.qp;

import io.verbena.soft.mem.ScatterGather;

/// The receives of a shared queue. A receive that a queue pair took keeps its place until its completion is taken, as
/// in every work queue, but queue pairs that report to different completion queues may take completions at once.
final class SharedReceiveRing extends ReceiveQueue {
    SharedReceiveRing(int requests, int maxScatterGather) {
        super(requests, maxScatterGather);
    }

    /// Engine's side: moves the buffers of the oldest receive into a queue pair's hand; how many there are.
    int take(long[] hand) {
        long position = head();
        int count = bufferCount(position);
        System.arraycopy(words(position), buffersAt(position), hand, 0, count * ScatterGather.WORDS);
        onReported();
        retire();
        return count;
    }

    /// Engine's side: receives that no queue pair took yet.
    long waiting() {
        return tail() - head();
    }

    @Override
    public void onTaken() {
        countTaken();
    }
}
