package io.verbena.tools.perf.report;

import org.HdrHistogram.Histogram;

/// What was measured with messages of one size.
///
/// - `latency`: every sample in nanoseconds, half the round trip for SEND and WRITE, the whole of it for READ
///   and atomics; null in bandwidth tests
/// - `bandwidth`: null in latency tests
/// - `complete`: false when the run was stopped before all messages were done; what is here is right as far as it goes
public record Measurement(int bytes, Histogram latency, Bandwidth bandwidth, Usage usage, boolean complete) {

    /// Messages of all queue pairs (both directions when bidirectional: `sent` counts this side's, the peer told the
    /// other figures), the time from the first post to the last completion, and the best window in between as
    /// perftest defines its peak. `peakBytesPerSecond` is 0 where no peak was asked for or can be told (by duration).
    ///
    /// `averageBytesPerSecond` and `messagesPerSecond` are those of the whole line: with a bidirectional test
    /// the sum of both sides.
    public record Bandwidth(
            long messages,
            long bytes,
            long nanoseconds,
            double peakBytesPerSecond,
            double averageBytesPerSecond,
            double messagesPerSecond) {}

    /// What this process spent meanwhile: CPU time of all its threads, and heap bytes allocated by the
    /// measuring thread; -1 where the JVM does not tell. `messages` is what to divide by.
    public record Usage(long messages, long cpuNanoseconds, long allocatedBytes) {}

    /// Messages done: the `#iterations` of perftest's tables.
    public long messages() {
        return latency != null ? latency.getTotalCount() : bandwidth.messages();
    }
}
