package io.verbena.tools.perf;

import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;

/// The latencies of one run. No sample is dropped. One read of the clock ends a sample and begins the next.
final class LatencySamples {
    private static final long LONGEST_NS = TimeUnit.HOURS.toNanos(1);
    private static final int DIGITS = 3;
    private static final long NONE = -1;

    private final int divisor;
    private final Histogram histogram = new Histogram(LONGEST_NS, DIGITS);
    private int size;
    private long startNs;
    private long lastNs;
    private long previous = NONE;

    /// @param divisor 2 where half a round trip counts, else 1
    LatencySamples(int divisor) {
        this.divisor = divisor;
    }

    void restart(int messageSize) {
        size = messageSize;
        histogram.reset();
        previous = NONE;
    }

    /// Starts the first sample.
    long start() {
        startNs = System.nanoTime();
        lastNs = startNs;
        return startNs;
    }

    /// Ends a sample, to be recorded by [#recordPrevious] when there is time for it.
    long stamp() {
        long now = System.nanoTime();
        previous = now - lastNs;
        lastNs = now;
        return now;
    }

    /// Begins the sample again, and drops the time before.
    long restamp() {
        lastNs = System.nanoTime();
        return lastNs;
    }

    void recordPrevious() {
        if (previous != NONE) {
            histogram.recordValue(Math.min(previous / divisor, LONGEST_NS));
            previous = NONE;
        }
    }

    PhaseResult result(boolean complete) {
        recordPrevious();
        return new PhaseResult(size, histogram.getTotalCount(), lastNs - startNs, histogram.copy(), 0, complete);
    }
}
