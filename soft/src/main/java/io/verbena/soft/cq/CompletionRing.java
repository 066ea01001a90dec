package io.verbena.soft.cq;

import io.verbena.soft.os.FieldHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/// The entries of a completion queue. One producer at a time (an engine's owner, under a lock where there are several),
/// one consumer at a time (the holder of the poll lock). They share only the cursors.
final class CompletionRing {
    private static final int WORDS = 5;
    private static final VarHandle TAIL = FieldHandle.of(MethodHandles.lookup(), "tail", long.class);
    private static final VarHandle HEAD = FieldHandle.of(MethodHandles.lookup(), "head", long.class);

    private final long[] words;
    /// The queue that an entry's request came from.
    private final CompletionSource[] owners;
    private final int mask;
    private final boolean fenced;
    private long tail;
    private long head;

    /// @param fenced whether the producer checks after each entry if the queue is armed. Pairs with
    ///     [SoftCompletionQueue#arm] followed by a poll: either the producer sees the queue armed, or the poll sees the
    ///     entry.
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

    /// The number of entries in the ring.
    int size() {
        return (int) ((long) TAIL.getVolatile(this) - (long) HEAD.getVolatile(this));
    }

    /// Moves all entries to another ring, in order. No thread may produce or consume meanwhile.
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
