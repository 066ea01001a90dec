package io.verbena.bench.micro;

import java.util.Collection;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.results.RunResult;

/// The benchmarks of this package in one table: the fastest iteration and the median of times, because disturbances
/// only add time, and the median of allocated bytes.
public final class MicroTable {
    private static final String PACKAGE = MicroTable.class.getPackageName() + ".";
    private static final String ALLOCATED = "gc.alloc.rate.norm";
    private static final String ROW = "%-48s %10s %10s %8s%n";

    private final Collection<RunResult> results;

    public MicroTable(Collection<RunResult> results) {
        this.results = results;
    }

    /// Empty when none of them was run.
    @Override
    public String toString() {
        String rows = results.stream()
                .filter(run -> run.getParams().getBenchmark().startsWith(PACKAGE))
                .map(MicroTable::row)
                .collect(Collectors.joining());
        return rows.isEmpty()
                ? ""
                : String.format(Locale.ROOT, ROW, "ns per operation", "fastest", "median", "B/op") + rows;
    }

    private static String row(RunResult run) {
        var times = run.getPrimaryResult().getStatistics();
        return String.format(
                Locale.ROOT,
                ROW,
                title(run.getParams()),
                number(times.getMin()),
                number(times.getPercentile(50)),
                allocated(run));
    }

    private static String title(BenchmarkParams params) {
        String parameters = params.getParamsKeys().stream()
                .map(key -> ", " + words(key) + " " + params.getParam(key))
                .collect(Collectors.joining());
        return words(params.getBenchmark().substring(PACKAGE.length())) + parameters;
    }

    /// `SoftDevices.writeAndPoll` is "soft devices: write and poll".
    static String words(String name) {
        return name.replace(".", ": ").replaceAll("(?<=[a-z])(?=[A-Z])", " ").toLowerCase(Locale.ROOT);
    }

    private static String allocated(RunResult run) {
        return run.getSecondaryResults().entrySet().stream()
                .filter(entry -> entry.getKey().endsWith(ALLOCATED))
                .map(Map.Entry::getValue)
                .map(result -> number(result.getStatistics().getPercentile(50)))
                .findFirst()
                .orElse("-");
    }

    private static String number(double value) {
        return String.format(Locale.ROOT, "%.1f", Math.abs(value) < 0.05 ? 0 : value);
    }
}
