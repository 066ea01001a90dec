package io.verbena.bench.pair;

import io.verbena.bench.side.Measurement;
import io.verbena.bench.side.Measurement.Kind;
import io.verbena.bench.side.RunResult;
import java.util.List;
import org.HdrHistogram.Histogram;

/// The times of a run: of each round trip, or of a stream as a whole. Nothing here allocates.
public final class Samples {
    private static final long LONGEST_NS = 60_000_000_000L;
    private static final int DIGITS = 3;
    private static final double MEDIAN = 50;
    private static final double TAIL = 99;
    private static final long NOTHING = -1;

    private final Histogram histogram = new Histogram(LONGEST_NS, DIGITS);
    private long startNs;
    private long endNs;
    private long lastNs;
    private long pendingNs = NOTHING;

    public Samples() {}

    public void restart() {
        histogram.reset();
        startNs = 0;
        endNs = 0;
        pendingNs = NOTHING;
    }

    public void begin() {
        startNs = System.nanoTime();
        lastNs = startNs;
    }

    /// Begins a round trip now instead of at the end of the last one.
    public void beginRoundTrip() {
        lastNs = System.nanoTime();
    }

    /// Ends a round trip and begins the next one.
    public void endRoundTrip() {
        long now = System.nanoTime();
        pendingNs = now - lastNs;
        lastNs = now;
    }

    /// Records the last round trip: to be called while the next message is in flight.
    public void record() {
        if (pendingNs >= 0) {
            histogram.recordValue(Math.min(pendingNs, LONGEST_NS));
            pendingNs = NOTHING;
        }
    }

    public void end() {
        endNs = System.nanoTime();
        record();
    }

    /// The time from the first beginning to the last end of concurrent parts.
    void span(List<Samples> parts) {
        startNs = parts.getFirst().startNs;
        endNs = parts.getFirst().endNs;
        for (Samples part : parts) {
            startNs = part.startNs - startNs < 0 ? part.startNs : startNs;
            endNs = part.endNs - endNs > 0 ? part.endNs : endNs;
        }
    }

    public long nanoseconds() {
        return endNs - startNs;
    }

    public RunResult result(Measurement measurement, long messages) {
        if (endNs == startNs || messages == 0) {
            throw new IllegalStateException("nothing was measured");
        }
        RunResult rate = RunResult.rate(measurement.size(), messages, nanoseconds());
        if (measurement.kind() == Kind.STREAM) {
            return rate;
        }
        return new RunResult(
                histogram.getValueAtPercentile(MEDIAN),
                histogram.getValueAtPercentile(TAIL),
                histogram.getMean(),
                rate.bytesPerSecond(),
                rate.messagesPerSecond(),
                Double.NaN,
                Double.NaN);
    }
}
