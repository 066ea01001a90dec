package io.verbena.tools.perf;

/// SEND ping-pong: the client begins, and each side answers as soon as the other's message arrives. Each request is
/// signaled and awaited, as in perftest.
final class SendLatency extends MeasuringLoop {
    private final boolean client;
    private final MeasuredQueuePair queuePair;
    private final LatencySamples samples = new LatencySamples(true);

    SendLatency(PerfEndpoint endpoint, PeerWatch watch, boolean client) {
        super(endpoint, watch);
        this.client = client;
        this.queuePair = queuePairs[0];
    }

    @Override
    void prepare(Phase phase) {
        super.prepare(phase);
        samples.restart(phase.size());
    }

    @Override
    void run(Phase phase) {
        long start = samples.begin();
        long count = phase.messagesOrEndless();
        if (client) {
            for (long n = 1; n <= count && sendAndReceive(n, phase, start) && !isOverInTurn(n, phase, start); n++) {}
        } else {
            for (long n = 1; n <= count && receiveAndSend(n, phase, start) && !isOverInTurn(n, phase, start); n++) {}
        }
    }

    private boolean sendAndReceive(long n, Phase phase, long start) {
        post(queuePair);
        samples.record(); // now, while the message travels
        awaitSend(n);
        if (!awaitReceive(n, phase, start)) {
            return false;
        }
        long now = samples.endRoundTrip();
        return !phase.isTimed() || now - start < phase.nanoseconds();
    }

    private boolean receiveAndSend(long n, Phase phase, long start) {
        if (!awaitReceive(n, phase, start)) {
            return false;
        }
        post(queuePair);
        awaitSend(n);
        return true;
    }

    @Override
    PhaseResult result(boolean complete) {
        return samples.result(complete);
    }
}
