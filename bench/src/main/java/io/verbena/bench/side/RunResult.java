package io.verbena.bench.side;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;

/// The result of one run of a measurement; NaN for unknown values.
///
/// - `p50`, `p99`, `mean`: nanoseconds of a whole round trip, there and back
/// - `bytesPerSecond`, `messagesPerSecond`: of payload, in one direction
/// - `cpuNs`: CPU time of all processes of both sides together, for each message (a round trip counts as one)
/// - `allocated`: heap bytes that the measuring threads of both sides allocated, for each message
/// - `events`: per second, by name; what may have disturbed the run
public record RunResult(
        double p50,
        double p99,
        double mean,
        double bytesPerSecond,
        double messagesPerSecond,
        double cpuNs,
        double allocated,
        Map<String, Double> events) {

    private static final int FIELDS = 7;

    public RunResult(
            double p50,
            double p99,
            double mean,
            double bytesPerSecond,
            double messagesPerSecond,
            double cpuNs,
            double allocated) {
        this(p50, p99, mean, bytesPerSecond, messagesPerSecond, cpuNs, allocated, Map.of());
    }

    public static RunResult latency(double p50, double p99, double mean) {
        return new RunResult(p50, p99, mean, Double.NaN, Double.NaN, Double.NaN, Double.NaN);
    }

    /// Messages of `size` bytes that took `nanoseconds` in all.
    public static RunResult rate(int size, long messages, double nanoseconds) {
        double perSecond = messages * 1e9 / nanoseconds;
        return new RunResult(Double.NaN, Double.NaN, Double.NaN, perSecond * size, perSecond, Double.NaN, Double.NaN);
    }

    public RunResult withUsage(double cpuNsPerMessage, double bytesPerMessage) {
        return new RunResult(
                p50, p99, mean, bytesPerSecond, messagesPerSecond, cpuNsPerMessage, bytesPerMessage, events);
    }

    public RunResult withEvents(Map<String, Double> perSecond) {
        return new RunResult(
                p50, p99, mean, bytesPerSecond, messagesPerSecond, cpuNs, allocated, new LinkedHashMap<>(perSecond));
    }

    /// The result as one line, for [#parse]; without events.
    public String toLine() {
        return Arrays.stream(new double[] {p50, p99, mean, bytesPerSecond, messagesPerSecond, cpuNs, allocated})
                .mapToObj(Double::toString)
                .collect(Collectors.joining(" "));
    }

    public static RunResult parse(String line) {
        double[] n = Arrays.stream(line.trim().split(" "))
                .mapToDouble(Double::parseDouble)
                .toArray();
        if (n.length != FIELDS) {
            throw new IllegalArgumentException("no result: " + line);
        }
        return new RunResult(n[0], n[1], n[2], n[3], n[4], n[5], n[6]);
    }
}
