package io.verbena.tools.perf.report;

import java.util.List;

/// The figures of a result: the place in the JSON, the label, and how two results are compared.
///
/// `slack` is a difference without meaning, below the resolution of a clock or counter. `slackOfRun` is one for all
/// messages of a run together: some systems count CPU time in ticks of 10 ms, and a table that grows once is no
/// allocation per message. Figures that depend on a single sample or moment are shown, but judged only when asked for.
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

    /// A smaller difference has no meaning.
    double slack() {
        return slack;
    }

    /// A smaller difference has no meaning between runs of so many messages.
    double slackOf(long messages) {
        return slackOfRun / Math.max(messages, 1);
    }

    boolean isJudged() {
        return judged;
    }

    /// Whether so many samples are enough: above a percentile there must be ten, else it is the luck of a few.
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

    /// The path of the figure in an element of `results`.
    List<String> path() {
        return path;
    }

    /// The metric of that label, or null.
    static Metric of(String label) {
        for (Metric metric : values()) {
            if (metric.label.equals(label)) {
                return metric;
            }
        }
        return null;
    }
}
