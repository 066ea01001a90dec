package io.verbena.bench.pair;

import io.verbena.bench.side.Measurement;
import io.verbena.bench.side.Measurement.Kind;
import io.verbena.bench.side.Result;
import java.util.List;
import org.HdrHistogram.Histogram;

/// The times of a run: of each round trip, or of a stream as a whole. Marking allocates nothing.
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

    /// The next round trip begins now, not when the last one ended.
    public void beginRoundTrip() {
        lastNs = System.nanoTime();
    }

    /// A round trip ends now, and the next one begins.
    public void endRoundTrip() {
        long now = System.nanoTime();
        pendingNs = now - lastNs;
        lastNs = now;
    }

    /// Puts the last round trip into the books: to be called while the next message travels.
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

    /// From the first beginning to the last end of parts that ran at the same time.
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

    public Result result(Measurement measurement, long messages) {
        if (endNs == startNs || messages == 0) {
            throw new IllegalStateException("nothing was measured");
        }
        Result rate = Result.rate(measurement.size(), messages, nanoseconds());
        if (measurement.kind() == Kind.STREAM) {
            return rate;
        }
        return new Result(
                histogram.getValueAtPercentile(MEDIAN),
                histogram.getValueAtPercentile(TAIL),
                histogram.getMean(),
                rate.bytesPerSecond(),
                rate.messagesPerSecond(),
                Double.NaN,
                Double.NaN);
    }
}
