package io.verbena.tools.perf.report;

import org.HdrHistogram.Histogram;

/// The measurement of one message size.
///
/// - `latency`: every sample in nanoseconds, half the round trip for SEND and WRITE, the whole of it for READ
///   and atomics; null in bandwidth tests
/// - `bandwidth`: null in latency tests
/// - `complete`: false when the run was stopped before all messages were done; the figures are those until then
public record Measurement(int bytes, Histogram latency, Bandwidth bandwidth, Usage usage, boolean complete) {

    /// `messages`, `bytes` and `nanoseconds` are this side's: all queue pairs, from the first post to the last
    /// completion. `peakBytesPerSecond` is the peak as perftest defines it; 0 when it was not asked for, and in timed
    /// runs.
    ///
    /// In a bidirectional test the three rates are the sum of both directions. The other direction is as the peer
    /// measured it.
    public record Bandwidth(
            long messages,
            long bytes,
            long nanoseconds,
            double peakBytesPerSecond,
            double averageBytesPerSecond,
            double messagesPerSecond) {}

    /// The resources of this process during the run: CPU time of all threads, and heap bytes allocated by the measuring
    /// thread; -1 where the JVM does not know. `messages` is the divisor.
    public record Usage(long messages, long cpuNanoseconds, long allocatedBytes) {}

    /// Number of messages: the `#iterations` of perftest's tables.
    public long messages() {
        return latency != null ? latency.getTotalCount() : bandwidth.messages();
    }
}
