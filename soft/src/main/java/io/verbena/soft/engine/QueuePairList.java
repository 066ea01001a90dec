package io.verbena.soft.engine;

/// A first-in first-out list of queue pairs that grows but does not allocate in steady state. Owned by the engine.
final class QueuePairList {
    private ServedQueuePair[] ring = new ServedQueuePair[16];
    private int head;
    private int size;

    boolean isEmpty() {
        return size == 0;
    }

    int size() {
        return size;
    }

    void add(ServedQueuePair qp) {
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

    ServedQueuePair take() {
        ServedQueuePair qp = ring[head];
        ring[head] = null;
        head = head + 1 & ring.length - 1;
        size--;
        return qp;
    }

    void remove(ServedQueuePair qp) {
        for (int turns = size; turns > 0; turns--) {
            ServedQueuePair other = take();
            if (other != qp) {
                add(other);
            }
        }
    }
}
