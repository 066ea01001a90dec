package io.verbena.soft.qp;

import io.verbena.soft.mem.ScatterGather;

/// Posted receives as the engine sees them.
final class ReceiveQueue extends WorkQueue {
    private static final int WR_ID = 0;
    private static final int COUNT = 1;
    private static final int FIXED_WORDS = 2;

    ReceiveQueue(int requests, int maxScatterGather) {
        super(requests, FIXED_WORDS, maxScatterGather);
    }

    void write(SoftReceiveRequest request) {
        int slot = slot(next());
        words[slot + WR_ID] = request.wrId;
        words[slot + COUNT] = request.buffers.count();
        request.buffers.copyInto(words, slot + FIXED_WORDS);
        publish();
    }

    long wrId(long position) {
        return words[slot(position) + WR_ID];
    }

    int bufferCount(long position) {
        return (int) words[slot(position) + COUNT];
    }

    int buffersAt(long position) {
        return slot(position) + FIXED_WORDS;
    }

    /// Bytes that fit into a receive.
    long capacityBytes(long position) {
        int at = buffersAt(position);
        long bytes = 0;
        for (int i = bufferCount(position); i > 0; i--) {
            bytes += ScatterGather.length(words[at + 1]);
            at += ScatterGather.WORDS;
        }
        return bytes;
    }
}
