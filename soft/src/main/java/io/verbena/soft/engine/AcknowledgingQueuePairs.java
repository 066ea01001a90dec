package io.verbena.soft.engine;

import io.verbena.soft.qp.SoftQueuePair;

/// The queue pairs that have an acknowledgement to send, each once. Owned by the engine.
final class AcknowledgingQueuePairs {
    private final Engine engine;
    private final QueuePairList list = new QueuePairList();

    AcknowledgingQueuePairs(Engine engine) {
        this.engine = engine;
    }

    boolean isEmpty() {
        return list.isEmpty();
    }

    void add(SoftQueuePair qp) {
        if (!qp.inAcknowledging) {
            qp.inAcknowledging = true;
            list.add(qp);
        }
    }

    void remove(SoftQueuePair qp) {
        list.remove(qp);
        qp.inAcknowledging = false;
    }

    /// One turn for each; those whose acknowledgement must or may still wait stay.
    void send(long nowNs, boolean atOnce) {
        for (int turns = list.size(); turns > 0; turns--) {
            SoftQueuePair qp = list.take();
            qp.inAcknowledging = false;
            try {
                if (!qp.service().sendAcknowledgement(nowNs, atOnce)) {
                    add(qp);
                }
            } catch (RuntimeException e) {
                engine.onFault(qp, e);
            }
        }
    }
}
