package io.verbena.soft.engine;

/// A first-in first-out list of queue pairs, each in it once. Grows but does not allocate in steady state. Owned by the
/// engine.
class QueuePairList {
    /// The bit in [ServedQueuePair#lists] of the queue pairs in this list.
    private final int bit;

    private ServedQueuePair[] ring = new ServedQueuePair[16];
    private int head;
    private int size;

    QueuePairList(int bit) {
        this.bit = bit;
    }

    final boolean isEmpty() {
        return size == 0;
    }

    final int size() {
        return size;
    }

    final void add(ServedQueuePair qp) {
        if ((qp.lists & bit) != 0) {
            return;
        }
        qp.lists |= bit;
        if (size == ring.length) {
            ServedQueuePair[] larger = new ServedQueuePair[size * 2];
            for (int i = 0; i < size; i++) {
                larger[i] = ring[head + i & ring.length - 1];
            }
            ring = larger;
            head = 0;
        }
        ring[head + size++ & ring.length - 1] = qp;
    }

    final ServedQueuePair take() {
        ServedQueuePair qp = ring[head];
        ring[head] = null;
        head = head + 1 & ring.length - 1;
        size--;
        qp.lists &= ~bit;
        return qp;
    }

    final void remove(ServedQueuePair qp) {
        for (int turns = size; turns > 0; turns--) {
            ServedQueuePair other = take();
            if (other != qp) {
                add(other);
            }
        }
    }
}
