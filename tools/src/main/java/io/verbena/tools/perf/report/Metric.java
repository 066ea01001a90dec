package io.verbena.tools.perf.report;

import java.util.List;

/// The figures of a result, one row each: where the JSON has it, how people call it, and how two are compared.
///
/// `slack` is a difference that means nothing, below the resolution of a clock or counter, and `slackOfRun` one of
/// all messages of a run together: some systems count CPU time in ticks of 10 ms, and one growing table is no
/// allocation of each message. Figures that a single sample or a single moment decides are shown but not judged
/// unless asked for.
enum Metric {
    LATENCY_MIN("min", "us", Better.LOWER, 0.01, 0, false, "latencyUs", "min"),
    LATENCY_MEAN("mean", "us", Better.LOWER, 0.01, 0, true, "latencyUs", "mean"),
    LATENCY_P50("p50", "us", Better.LOWER, 0.01, 0, true, "latencyUs", "p50"),
    LATENCY_P90("p90", "us", Better.LOWER, 0.01, 0, true, "latencyUs", "p90"),
    LATENCY_P99("p99", "us", Better.LOWER, 0.01, 0, true, "latencyUs", "p99"),
    LATENCY_P99_9("p99.9", "us", Better.LOWER, 0.01, 0, true, "latencyUs", "p99.9"),
    LATENCY_P99_99("p99.99", "us", Better.LOWER, 0.01, 0, false, "latencyUs", "p99.99"),
    LATENCY_MAX("max", "us", Better.LOWER, 0.01, 0, false, "latencyUs", "max"),
    BANDWIDTH_AVERAGE("average", "MiB/s", Better.HIGHER, 0.01, 0, true, "bandwidthMiBps", "average"),
    BANDWIDTH_PEAK("peak", "MiB/s", Better.HIGHER, 0.01, 0, false, "bandwidthMiBps", "peak"),
    MESSAGE_RATE("rate", "msg/s", Better.HIGHER, 1, 0, true, "messagesPerSecond"),
    CPU("cpu", "us/msg", Better.LOWER, 0.01, 20_000, true, "cpuUsPerMessage"),
    ALLOCATED("allocated", "B/msg", Better.LOWER, 1, 65_536, true, "allocatedBytesPerMessage");

    enum Better {
        LOWER,
        HIGHER
    }

    private static final int SAMPLES_ABOVE = 10;

    private final String label;
    private final String unit;
    private final Better better;
    private final double slack;
    private final double slackOfRun;
    private final boolean judged;
    private final List<String> path;

    Metric(String label, String unit, Better better, double slack, double slackOfRun, boolean judged, String... path) {
        this.label = label;
        this.unit = unit;
        this.better = better;
        this.slack = slack;
        this.slackOfRun = slackOfRun;
        this.judged = judged;
        this.path = List.of(path);
    }

    String label() {
        return label;
    }

    String unit() {
        return unit;
    }

    Better better() {
        return better;
    }

    /// The difference that means nothing in runs of so many messages, or more.
    double slack(long messages) {
        return Math.max(slack, slackOfRun / Math.max(messages, 1));
    }

    boolean isJudged() {
        return judged;
    }

    /// Whether so many samples tell it: of percentiles, ten must lie above it, else it is the luck of a few.
    boolean isToldBy(long samples) {
        long oneIn = switch (this) {
            case LATENCY_P90 -> 10;
            case LATENCY_P99 -> 100;
            case LATENCY_P99_9 -> 1000;
            case LATENCY_P99_99 -> 10_000;
            default -> 0;
        };
        return samples >= SAMPLES_ABOVE * oneIn;
    }

    /// The names that lead to it in an element of `results`.
    List<String> path() {
        return path;
    }

    /// The one of that label, or null.
    static Metric of(String label) {
        for (Metric metric : values()) {
            if (metric.label.equals(label)) {
                return metric;
            }
        }
        return null;
    }
}
