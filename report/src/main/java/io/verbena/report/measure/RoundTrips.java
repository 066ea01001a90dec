package io.verbena.report.measure;

import org.HdrHistogram.Histogram;

/// The times of the round trips of a run. No sample is dropped, and nothing here allocates. One read of the clock ends
/// a round trip and begins the next.
public class RoundTrips {
    private static final long NOTHING = -1;

    private final int halvings;
    private final Histogram histogram = Latency.newHistogram();
    private long startNs;
    private long lastNs;
    private long pendingNs = NOTHING;

    public RoundTrips() {
        this(false);
    }

    /// @param half whether half of each round trip counts
    public RoundTrips(boolean half) {
        halvings = half ? 1 : 0;
    }

    public void restart() {
        histogram.reset();
        startNs = 0;
        lastNs = 0;
        pendingNs = NOTHING;
    }

    /// Begins the run, and its first round trip.
    public final long begin() {
        startNs = System.nanoTime();
        lastNs = startNs;
        return startNs;
    }

    /// Begins a round trip now instead of at the end of the last one.
    public final long beginRoundTrip() {
        lastNs = System.nanoTime();
        return lastNs;
    }

    /// Ends a round trip, to be recorded by [#record], and begins the next one.
    public final long endRoundTrip() {
        long now = System.nanoTime();
        pendingNs = now - lastNs;
        lastNs = now;
        return now;
    }

    /// Records the last round trip: to be called while the next message is in flight.
    public final void record() {
        if (pendingNs >= 0) {
            histogram.recordValue(Math.min(pendingNs >> halvings, Latency.LONGEST_NS));
            pendingNs = NOTHING;
        }
    }

    public final long startNs() {
        return startNs;
    }

    /// When the last round trip ended.
    public final long lastNs() {
        return lastNs;
    }

    public final Histogram histogram() {
        return histogram;
    }
}
