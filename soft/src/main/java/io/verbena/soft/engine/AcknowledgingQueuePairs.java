package io.verbena.soft.engine;

/// The queue pairs that have an acknowledgement to send, each once. Owned by the engine.
final class AcknowledgingQueuePairs extends QueuePairList {
    /// Frames after which acknowledgements leave although more frames keep coming.
    private static final int ACKNOWLEDGE_EVERY = 32;

    private final Engine engine;
    private int receivedSince;

    AcknowledgingQueuePairs(Engine engine) {
        super(2);
        this.engine = engine;
    }

    /// Whether acknowledgements leave now: when a poll finds nothing new, when the caller wants them at once, and
    /// regularly while frames keep coming.
    boolean isDue(int received, boolean atOnce) {
        receivedSince += received;
        return atOnce || received == 0 || receivedSince >= ACKNOWLEDGE_EVERY;
    }

    /// Gives each queue pair one turn. Queue pairs whose acknowledgement must or may still wait stay in the list.
    void send(long nowNs, boolean atOnce) {
        receivedSince = 0;
        for (int turns = size(); turns > 0; turns--) {
            ServedQueuePair qp = take();
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
