package io.verbena.bench.run;

import io.verbena.bench.side.Result;
import java.util.function.ToDoubleFunction;

/// One number of a result, and the unit it is shown in.
public enum Metric {
    MEDIAN("ns", 1, Result::p50),
    TAIL("ns p99", 1, Result::p99),
    BANDWIDTH("GB/s", 1e9, Result::bytesPerSecond),
    RATE("Mmsg/s", 1e6, Result::messagesPerSecond),
    CPU("ns CPU/msg", 1, Result::cpuNs),
    ALLOCATED("B/msg", 1, Result::allocated),
    /// Of one processor, by all processes of both sides.
    CPU_SHARE("% of a CPU", 1e-2, result -> result.cpuNs() * result.messagesPerSecond() / 1e9);

    private final String unit;
    private final double scale;
    private final ToDoubleFunction<Result> value;

    Metric(String unit, double scale, ToDoubleFunction<Result> value) {
        this.unit = unit;
        this.scale = scale;
        this.value = value;
    }

    public String unit() {
        return unit;
    }

    /// In units of [#unit].
    public double of(Result result) {
        return value.applyAsDouble(result) / scale;
    }
}
