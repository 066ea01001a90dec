package io.verbena.tools.perf;

/// One message after the other on one queue pair, each of them timed.
abstract class LatencyLoop extends MeasuringLoop {
    final MeasuredQueuePair queuePair;
    final LatencySamples samples;

    /// @param half whether half a round trip counts
    LatencyLoop(PerfEndpoint endpoint, PeerWatch watch, boolean half) {
        super(endpoint, watch);
        this.queuePair = queuePairs[0];
        this.samples = new LatencySamples(half);
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
        for (long n = 1; n <= count && turn(n, phase, start) && !isOverInTurn(n, phase, start); n++) {}
    }

    /// Message `n`, counted from 1, there and back; false when the phase is over.
    abstract boolean turn(long n, Phase phase, long start);

    static boolean isInTime(Phase phase, long start, long now) {
        return !phase.isTimed() || now - start < phase.nanoseconds();
    }

    @Override
    PhaseResult result(boolean complete) {
        return samples.result(complete);
    }
}
