package io.verbena.soft.cq;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/// The entries of a completion queue. One producer at a time (the engine's owner), one consumer at a time (whoever
/// holds the queue's poll lock); the two meet only in the cursors.
final class CompletionRing {
    private static final int WORDS = 5;
    private static final VarHandle TAIL;
    private static final VarHandle HEAD;

    static {
        try {
            TAIL = MethodHandles.lookup().findVarHandle(CompletionRing.class, "tail", long.class);
            HEAD = MethodHandles.lookup().findVarHandle(CompletionRing.class, "head", long.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final long[] words;
    /// The queue that an entry's request came from.
    private final CompletionSource[] owners;
    private final int mask;
    private final boolean fenced;
    private long tail;
    private long head;

    CompletionRing(int entries) {
        this(entries, true);
    }

    /// @param fenced whether the producer looks after each entry if a consumer is armed, who arms first and polls after
    CompletionRing(int entries, boolean fenced) {
        this.fenced = fenced;
        int capacity = Integer.highestOneBit(Math.max(1, entries - 1)) << (entries > 1 ? 1 : 0);
        this.words = new long[capacity * WORDS];
        this.owners = new CompletionSource[capacity];
        this.mask = capacity - 1;
    }

    int capacity() {
        return mask + 1;
    }

    /// False when full.
    boolean offer(CompletionSource owner, long wrId, long kind, long length, long numbers, long immediate) {
        long at = tail;
        if (at - (long) HEAD.getAcquire(this) > mask) {
            return false;
        }
        int slot = (int) (at & mask) * WORDS;
        owners[(int) (at & mask)] = owner;
        words[slot] = wrId;
        words[slot + 1] = kind;
        words[slot + 2] = length;
        words[slot + 3] = numbers;
        words[slot + 4] = immediate;
        if (fenced) {
            TAIL.setVolatile(this, at + 1);
        } else {
            TAIL.setRelease(this, at + 1);
        }
        return true;
    }

    boolean isEmpty() {
        return (long) TAIL.getVolatile(this) == (long) HEAD.getOpaque(this);
    }

    /// Entries that were not taken yet.
    int size() {
        return (int) ((long) TAIL.getVolatile(this) - (long) HEAD.getVolatile(this));
    }

    /// Gives the entries to a larger or emptier ring, in order. Nobody may produce or consume meanwhile.
    void moveTo(CompletionRing other) {
        for (long at = head; at != tail; at++) {
            int entry = (int) (at & mask);
            int slot = entry * WORDS;
            other.offer(owners[entry], words[slot], words[slot + 1], words[slot + 2], words[slot + 3], words[slot + 4]);
        }
    }

    /// Moves the oldest entry into the view and frees its slot; false when empty.
    boolean take(CompletionView view) {
        long at = head;
        if (at == (long) TAIL.getVolatile(this)) {
            return false;
        }
        int slot = (int) (at & mask) * WORDS;
        view.set(words[slot], words[slot + 1], words[slot + 2], words[slot + 3], words[slot + 4]);
        CompletionSource owner = owners[(int) (at & mask)];
        owners[(int) (at & mask)] = null;
        HEAD.setRelease(this, at + 1);
        owner.onTaken();
        return true;
    }
}
