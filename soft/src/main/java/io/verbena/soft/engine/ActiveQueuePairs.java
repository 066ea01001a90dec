package io.verbena.soft.engine;

/// The queue pairs in line to emit, each once. Owned by the engine.
final class ActiveQueuePairs {
    /// Packets one queue pair may emit in one turn, so that none starves the others: four full trains of the longest
    /// ones, or one of packets of 1 KiB.
    private static final int BUDGET = 60;

    private final Engine engine;
    private final QueuePairList list = new QueuePairList();

    ActiveQueuePairs(Engine engine) {
        this.engine = engine;
    }

    boolean isEmpty() {
        return list.isEmpty();
    }

    void add(ServedQueuePair qp) {
        if (!qp.inActive) {
            qp.inActive = true;
            list.add(qp);
        }
    }

    void remove(ServedQueuePair qp) {
        list.remove(qp);
        qp.inActive = false;
    }

    /// One turn for each; those with more to send stay. How many packets left.
    int emit(long nowNs) {
        int emitted = 0;
        for (int turns = list.size(); turns > 0; turns--) {
            ServedQueuePair qp = list.take();
            qp.inActive = false;
            emitted += emit(qp, nowNs);
        }
        return emitted;
    }

    /// A turn for one that is not in line.
    int emit(ServedQueuePair qp, long nowNs) {
        try {
            int emitted = qp.emit(nowNs, BUDGET);
            if (qp.hasMoreToEmit()) {
                add(qp);
            }
            return emitted;
        } catch (RuntimeException e) {
            engine.onFault(qp, e);
            return 0;
        }
    }
}
