package io.verbena.tools.perf;

import io.verbena.report.measure.RoundTrips;

/// The latencies of one run of one message size.
final class LatencySamples extends RoundTrips {
    private int size;

    /// @param half whether half a round trip counts
    LatencySamples(boolean half) {
        super(half);
    }

    void restart(int messageSize) {
        restart();
        size = messageSize;
    }

    PhaseResult result(boolean complete) {
        record();
        return new PhaseResult(
                size,
                histogram().getTotalCount(),
                lastNs() - startNs(),
                histogram().copy(),
                0,
                complete);
    }
}
