package io.verbena.tools.perf;

/// READs or atomics, one after the other; the peer's program has nothing to do.
final class FetchLatency extends Loop {
    private final Lane lane;
    private final Samples samples = new Samples(1);

    FetchLatency(Endpoint endpoint, Watch watch) {
        super(endpoint, watch);
        this.lane = lanes[0];
    }

    @Override
    void prepare(Phase phase) {
        super.prepare(phase);
        samples.restart(phase.size());
    }

    @Override
    void run(Phase phase) {
        long start = samples.start();
        long count = phase.messagesOrEndless();
        for (long n = 1; n <= count && ask(n, phase, start) && !isOverNow(n, phase, start); n++) {}
    }

    private boolean ask(long n, Phase phase, long start) {
        post(lane);
        samples.recordPrevious(); // now, while the request travels
        awaitSend(n);
        long now = samples.stamp();
        return !phase.isTimed() || now - start < phase.nanoseconds();
    }

    @Override
    Result result(boolean complete) {
        return samples.result(complete);
    }
}
