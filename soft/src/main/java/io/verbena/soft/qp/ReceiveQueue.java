package io.verbena.soft.qp;

import io.verbena.soft.mem.ScatterGather;

/// Posted receives as the engine sees them.
class ReceiveQueue extends WorkQueue {
    private static final int WR_ID = 0;
    private static final int COUNT = 1;
    private static final int FIXED_WORDS = 2;

    ReceiveQueue(int requests, int maxScatterGather) {
        super(requests, FIXED_WORDS, maxScatterGather);
    }

    final void write(SoftReceiveRequest request) {
        fill(request);
        publish();
    }

    /// As [#write], for a poster that makes a fence of its own before it looks at anything else.
    final void writeInOrder(SoftReceiveRequest request) {
        fill(request);
        publishInOrder();
    }

    private void fill(SoftReceiveRequest request) {
        long[] words = wordsToFill(next());
        int slot = slot(next());
        words[slot + WR_ID] = request.wrId;
        words[slot + COUNT] = request.buffers.count();
        request.buffers.copyInto(words, slot + FIXED_WORDS);
    }

    final long wrId(long position) {
        return words(position)[slot(position) + WR_ID];
    }

    final int bufferCount(long position) {
        return (int) words(position)[slot(position) + COUNT];
    }

    final int buffersAt(long position) {
        return slot(position) + FIXED_WORDS;
    }

    /// Bytes that fit into a receive.
    final long capacityBytes(long position) {
        return capacityBytes(words(position), buffersAt(position), bufferCount(position));
    }

    static long capacityBytes(long[] words, int at, int buffers) {
        long bytes = 0;
        for (int i = buffers; i > 0; i--) {
            bytes += ScatterGather.length(words[at + 1]);
            at += ScatterGather.WORDS;
        }
        return bytes;
    }
}
