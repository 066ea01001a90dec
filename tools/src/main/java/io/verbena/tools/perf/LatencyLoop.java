package io.verbena.tools.perf;

import io.verbena.report.measure.RoundTrips;

/// One message after the other on one queue pair, each of them timed.
abstract class LatencyLoop extends MeasuringLoop {
    final MeasuredQueuePair queuePair;
    final RoundTrips samples;
    private int size;

    /// @param half whether half a round trip counts
    LatencyLoop(PerfEndpoint endpoint, PeerWatch watch, boolean half) {
        super(endpoint, watch);
        this.queuePair = queuePairs[0];
        this.samples = new RoundTrips(half);
    }

    @Override
    void prepare(Phase phase) {
        super.prepare(phase);
        samples.restart();
        size = phase.size();
    }

    @Override
    void run(Phase phase) {
        long start = samples.begin();
        long count = phase.messagesOrEndless();
        for (long n = 1; n <= count && turn(n, phase, start) && !isOverInTurn(n, phase, start); n++) {}
    }

    /// Message `n`, counted from 1, there and back; false when the phase is over.
    abstract boolean turn(long n, Phase phase, long start);

    static boolean isInTime(Phase phase, long start, long now) {
        return !phase.isTimed() || now - start < phase.nanoseconds();
    }

    @Override
    PhaseResult result(boolean complete) {
        samples.record();
        return new PhaseResult(
                size,
                samples.histogram().getTotalCount(),
                samples.lastNs() - samples.startNs(),
                samples.histogram().copy(),
                0,
                complete);
    }
}
