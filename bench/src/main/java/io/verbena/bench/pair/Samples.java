package io.verbena.bench.pair;

import io.verbena.bench.side.Measurement;
import io.verbena.bench.side.Measurement.Kind;
import io.verbena.bench.side.RunResult;
import io.verbena.report.measure.RoundTrips;
import java.util.List;

/// The times of a run: of each round trip, or of a stream as a whole. Nothing here allocates.
public final class Samples extends RoundTrips {
    private static final double MEDIAN = 50;
    private static final double TAIL = 99;

    private long firstNs;
    private long endNs;

    public Samples() {}

    @Override
    public void restart() {
        super.restart();
        firstNs = 0;
        endNs = 0;
    }

    public void end() {
        firstNs = startNs();
        endNs = System.nanoTime();
        record();
    }

    /// The time from the first beginning to the last end of concurrent parts.
    void span(List<Samples> parts) {
        firstNs = parts.getFirst().firstNs;
        endNs = parts.getFirst().endNs;
        for (Samples part : parts) {
            firstNs = part.firstNs - firstNs < 0 ? part.firstNs : firstNs;
            endNs = part.endNs - endNs > 0 ? part.endNs : endNs;
        }
    }

    public long nanoseconds() {
        return endNs - firstNs;
    }

    public RunResult result(Measurement measurement, long messages) {
        if (endNs == firstNs || messages == 0) {
            throw new IllegalStateException("nothing was measured");
        }
        RunResult rate = RunResult.rate(measurement.size(), messages, nanoseconds());
        if (measurement.kind() == Kind.STREAM) {
            return rate;
        }
        return new RunResult(
                histogram().getValueAtPercentile(MEDIAN),
                histogram().getValueAtPercentile(TAIL),
                histogram().getMean(),
                rate.bytesPerSecond(),
                rate.messagesPerSecond(),
                Double.NaN,
                Double.NaN);
    }
}
