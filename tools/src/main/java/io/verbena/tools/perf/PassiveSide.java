package io.verbena.tools.perf;

/// The passive side of WRITE, READ and atomic tests: its program has nothing to do.
final class PassiveSide extends MeasuringLoop {
    PassiveSide(PerfEndpoint endpoint, PeerWatch watch) {
        super(endpoint, watch);
    }

    @Override
    void run(Phase phase) {}

    @Override
    PhaseResult result(boolean complete) {
        return new PhaseResult(0, 0, 0, null, 0, complete);
    }
}
