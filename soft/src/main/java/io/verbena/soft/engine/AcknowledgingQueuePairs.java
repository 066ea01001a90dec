package io.verbena.soft.engine;

/// The queue pairs that have an acknowledgement to send, each once. Owned by the engine.
final class AcknowledgingQueuePairs {
    /// Frames after which acknowledgements leave although more frames keep coming.
    private static final int ACKNOWLEDGE_EVERY = 32;

    private final Engine engine;
    private final QueuePairList list = new QueuePairList();
    private int receivedSince;

    AcknowledgingQueuePairs(Engine engine) {
        this.engine = engine;
    }

    boolean isEmpty() {
        return list.isEmpty();
    }

    void add(ServedQueuePair qp) {
        if (!qp.inAcknowledging) {
            qp.inAcknowledging = true;
            list.add(qp);
        }
    }

    void remove(ServedQueuePair qp) {
        list.remove(qp);
        qp.inAcknowledging = false;
    }

    /// Whether acknowledgements leave now: behind what was posted, when a poll finds nothing new, and when frames keep
    /// coming, every so often.
    boolean isDue(int received, boolean atOnce) {
        receivedSince += received;
        return atOnce || received == 0 || receivedSince >= ACKNOWLEDGE_EVERY;
    }

    /// One turn for each; those whose acknowledgement must or may still wait stay.
    void send(long nowNs, boolean atOnce) {
        receivedSince = 0;
        for (int turns = list.size(); turns > 0; turns--) {
            ServedQueuePair qp = list.take();
            qp.inAcknowledging = false;
            try {
                if (!qp.sendAcknowledgement(nowNs, atOnce)) {
                    add(qp);
                }
            } catch (RuntimeException e) {
                engine.onFault(qp, e);
            }
        }
    }
}
