package io.verbena.tools.perf;

import io.verbena.tools.perf.report.Measurement;
import io.verbena.tools.perf.report.Measurement.Bandwidth;
import io.verbena.tools.perf.report.Measurement.Usage;
import org.HdrHistogram.Histogram;

/// The result of one side in one phase: latencies, or the counts and times of a stream.
record PhaseResult(
        int size, long messages, long nanoseconds, Histogram latency, double peakBytesPerSecond, boolean complete) {
    double averageBytesPerSecond() {
        return messagesPerSecond() * size;
    }

    double messagesPerSecond() {
        return nanoseconds > 0 ? messages * 1e9 / nanoseconds : 0;
    }

    /// The measurement, with what the peer measured of the other direction, or null.
    Measurement with(PeerReport peer, Usage usage) {
        if (latency != null) {
            return new Measurement(size, latency, null, usage, complete);
        }
        PeerReport other = peer == null ? PeerReport.NOTHING : peer;
        var bandwidth = new Bandwidth(
                messages,
                messages * size,
                nanoseconds,
                peakBytesPerSecond == 0 ? 0 : peakBytesPerSecond + other.peakBytesPerSecond(),
                averageBytesPerSecond() + other.averageBytesPerSecond(),
                messagesPerSecond() + other.messagesPerSecond());
        return new Measurement(size, null, bandwidth, usage, complete);
    }

    /// The peer's result for the other direction of a bidirectional test.
    record PeerReport(double peakBytesPerSecond, double averageBytesPerSecond, double messagesPerSecond) {
        static final PeerReport NOTHING = new PeerReport(0, 0, 0);
    }
}
