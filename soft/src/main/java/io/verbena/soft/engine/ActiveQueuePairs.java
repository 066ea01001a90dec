package io.verbena.soft.engine;

/// The queue pairs in line to emit, each once. Owned by the engine.
final class ActiveQueuePairs extends QueuePairList {
    /// Packets one queue pair may emit in one turn, so that none starves the others: four trains of the longest
    /// packets, or one train of packets of 1 KiB.
    private static final int BUDGET = 60;

    private final Engine engine;

    ActiveQueuePairs(Engine engine) {
        super(1);
        this.engine = engine;
    }

    /// Gives each queue pair one turn. Those with more to send stay in the list. Returns how many packets were sent.
    int emit(long nowNs) {
        int emitted = 0;
        for (int turns = size(); turns > 0; turns--) {
            emitted += emit(take(), nowNs);
        }
        return emitted;
    }

    /// Gives a turn to a queue pair that is not in the list.
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
