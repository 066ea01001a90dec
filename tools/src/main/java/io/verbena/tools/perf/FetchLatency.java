package io.verbena.tools.perf;

/// READs or atomics, one after the other; the peer's program has nothing to do.
final class FetchLatency extends MeasuringLoop {
    private final MeasuredQueuePair queuePair;
    private final LatencySamples samples = new LatencySamples(false);

    FetchLatency(PerfEndpoint endpoint, PeerWatch watch) {
        super(endpoint, watch);
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
        for (long n = 1; n <= count && ask(n, phase, start) && !isOverInTurn(n, phase, start); n++) {}
    }

    private boolean ask(long n, Phase phase, long start) {
        post(queuePair);
        samples.record(); // now, while the request travels
        awaitSend(n);
        long now = samples.endRoundTrip();
        return !phase.isTimed() || now - start < phase.nanoseconds();
    }

    @Override
    PhaseResult result(boolean complete) {
        return samples.result(complete);
    }
}
