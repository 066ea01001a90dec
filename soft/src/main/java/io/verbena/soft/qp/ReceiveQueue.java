package io.verbena.soft.qp;

import io.verbena.soft.mem.ScatterGather;

/// Posted receives, for the engine.
class ReceiveQueue extends WorkQueue {
    private static final int WR_ID = 0;
    private static final int COUNT = 1;
    private static final int FIXED_WORDS = 2;

    ReceiveQueue(int requests, int maxScatterGather) {
        super(requests, FIXED_WORDS, maxScatterGather);
    }

    final void write(SoftReceiveRequest request) {
        long[] words = wordsToFill(next());
        int slot = slot(next());
        words[slot + WR_ID] = request.wrId();
        words[slot + COUNT] = request.buffers.count();
        request.buffers.copyInto(words, slot + FIXED_WORDS);
        publish();
    }

    static long wrId(long[] words, int slot) {
        return words[slot + WR_ID];
    }

    static int bufferCount(long[] words, int slot) {
        return (int) words[slot + COUNT];
    }

    static int buffersAt(int slot) {
        return slot + FIXED_WORDS;
    }

    /// The total length of the buffers.
    static long capacityBytes(long[] words, int at, int buffers) {
        long bytes = 0;
        for (int i = buffers; i > 0; i--) {
            bytes += ScatterGather.length(words[at + 1]);
            at += ScatterGather.WORDS;
        }
        return bytes;
    }
}
