package io.verbena.soft.qp;

import io.verbena.soft.mem.ScatterGather;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/// A ring of requests in one array of longs: programs fill slots under the queue's lock, the engine empties them.
/// Positions only grow; a slot is a position modulo the capacity.
abstract class WorkQueue {
    private static final VarHandle TAIL;
    private static final VarHandle HEAD;

    static {
        try {
            TAIL = MethodHandles.lookup().findVarHandle(WorkQueue.class, "tail", long.class);
            HEAD = MethodHandles.lookup().findVarHandle(WorkQueue.class, "head", long.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    final long[] words;
    private final int stride;
    private final int mask;
    private final int maxScatterGather;
    private long tail;
    private long head;

    WorkQueue(int requests, int fixedWords, int maxScatterGather) {
        int capacity = requests <= 1 ? 1 : Integer.highestOneBit(requests - 1) << 1;
        this.stride = fixedWords + maxScatterGather * ScatterGather.WORDS;
        this.words = new long[capacity * stride];
        this.mask = capacity - 1;
        this.maxScatterGather = maxScatterGather;
    }

    final int capacity() {
        return mask + 1;
    }

    final int maxScatterGather() {
        return maxScatterGather;
    }

    /// Index of the first word of a position's slot.
    final int slot(long position) {
        return (int) (position & mask) * stride;
    }

    final int slotNumber(long position) {
        return (int) (position & mask);
    }

    /// Poster's side: whether there is no free slot.
    final boolean isFull() {
        return tail - (long) HEAD.getAcquire(this) > mask;
    }

    /// Poster's side: the position to fill next.
    final long next() {
        return tail;
    }

    /// Poster's side: publishes the slot that was filled. Volatile strength, because the poster looks at the queue
    /// pair's state afterwards and the engine does it the other way round.
    final void publish() {
        TAIL.setVolatile(this, tail + 1);
    }

    /// Engine's side: oldest request not yet retired.
    final long head() {
        return head;
    }

    /// One past the newest posted request.
    final long tail() {
        return (long) TAIL.getVolatile(this);
    }

    final boolean isEmpty() {
        return head == tail();
    }

    /// Engine's side: frees the oldest slot.
    final void retire() {
        HEAD.setRelease(this, head + 1);
    }

    /// Engine's side: drops everything without a trace.
    final void clear() {
        HEAD.setRelease(this, tail());
    }
}
