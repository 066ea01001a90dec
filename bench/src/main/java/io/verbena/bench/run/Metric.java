package io.verbena.bench.run;

import io.verbena.bench.side.RunResult;
import java.util.function.ToDoubleFunction;

/// A number of a result, and its unit.
public enum Metric {
    MEDIAN("ns", 1, RunResult::p50),
    TAIL("ns p99", 1, RunResult::p99),
    BANDWIDTH("GB/s", 1e9, RunResult::bytesPerSecond),
    RATE("Mmsg/s", 1e6, RunResult::messagesPerSecond),
    CPU("ns CPU/msg", 1, RunResult::cpuNs),
    ALLOCATED("B/msg", 1, RunResult::allocated),
    /// Of one processor, by all processes of both sides.
    CPU_SHARE("% of a CPU", 1e-2, result -> result.cpuNs() * result.messagesPerSecond() / 1e9);

    private final String unit;
    private final double scale;
    private final ToDoubleFunction<RunResult> value;

    Metric(String unit, double scale, ToDoubleFunction<RunResult> value) {
        this.unit = unit;
        this.scale = scale;
        this.value = value;
    }

    public String unit() {
        return unit;
    }

    /// In units of [#unit].
    public double of(RunResult result) {
        return value.applyAsDouble(result) / scale;
    }
}
