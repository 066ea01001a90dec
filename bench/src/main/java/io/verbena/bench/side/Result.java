package io.verbena.bench.side;

import java.util.Arrays;
import java.util.stream.Collectors;

/// What one run of a measurement gave; NaN for what is not known.
///
/// - `p50`, `p99`, `mean`: nanoseconds of a whole round trip, there and back
/// - `bytesPerSecond`, `messagesPerSecond`: of payload, in one direction
/// - `cpuNs`: CPU time of all processes of both sides together, for each message (a round trip counts as one)
/// - `allocated`: heap bytes that the measuring threads of both sides allocated, for each message
public record Result(
        double p50,
        double p99,
        double mean,
        double bytesPerSecond,
        double messagesPerSecond,
        double cpuNs,
        double allocated) {

    private static final int FIELDS = 7;

    public static Result latency(double p50, double p99, double mean) {
        return new Result(p50, p99, mean, Double.NaN, Double.NaN, Double.NaN, Double.NaN);
    }

    /// Messages of `size` bytes that took `nanoseconds` in all.
    public static Result rate(int size, long messages, double nanoseconds) {
        double perSecond = messages * 1e9 / nanoseconds;
        return new Result(Double.NaN, Double.NaN, Double.NaN, perSecond * size, perSecond, Double.NaN, Double.NaN);
    }

    public Result withUsage(double cpuNsPerMessage, double bytesPerMessage) {
        return new Result(p50, p99, mean, bytesPerSecond, messagesPerSecond, cpuNsPerMessage, bytesPerMessage);
    }

    /// What a worker prints, as [#parse] takes it.
    public String toLine() {
        return Arrays.stream(new double[] {p50, p99, mean, bytesPerSecond, messagesPerSecond, cpuNs, allocated})
                .mapToObj(Double::toString)
                .collect(Collectors.joining(" "));
    }

    public static Result parse(String line) {
        double[] n = Arrays.stream(line.trim().split(" "))
                .mapToDouble(Double::parseDouble)
                .toArray();
        if (n.length != FIELDS) {
            throw new IllegalArgumentException("no result: " + line);
        }
        return new Result(n[0], n[1], n[2], n[3], n[4], n[5], n[6]);
    }
}
