package io.verbena.bench;

import java.util.Collection;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.openjdk.jmh.results.RunResult;

/// Compares the cost of each call from C, from plain Java and through Verbena. Times are those of the fastest
/// iteration, because disturbances only add time; allocated bytes are the median.
final class CostTable {
    private static final String ROW = "%-32s %8s %8s %8s %11s %8s%n";
    private static final String ALLOCATED = "gc.alloc.rate.norm";

    private final Map<String, RunResult> results;

    CostTable(Collection<RunResult> runs) {
        results = runs.stream()
                .collect(Collectors.toMap(run -> run.getParams().getBenchmark(), run -> run, (first, other) -> first));
    }

    /// Empty when nothing was measured through Verbena.
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        for (Scenario scenario : Scenario.values()) {
            RunResult verbena = result(FromVerbena.class, scenario);
            if (verbena == null) {
                continue;
            }
            double ours = best(verbena);
            RunResult c = result(FromC.class, scenario);
            text.append(row(
                    scenario.title(),
                    score(c),
                    score(result(FromJava.class, scenario)),
                    number(ours),
                    c == null ? "-" : number(ours - best(c)),
                    allocated(verbena)));
        }
        String head = row("ns per call", "C", "bare FFM", "Verbena", "difference", "B/op");
        return text.isEmpty() ? "" : head + text;
    }

    private RunResult result(Class<?> from, Scenario scenario) {
        return results.get(from.getName() + "." + scenario.method());
    }

    private static String score(RunResult run) {
        return run == null ? "-" : number(best(run));
    }

    private static double best(RunResult run) {
        return run.getPrimaryResult().getStatistics().getMin();
    }

    private static String allocated(RunResult run) {
        return run.getSecondaryResults().entrySet().stream()
                .filter(entry -> entry.getKey().endsWith(ALLOCATED))
                .map(Map.Entry::getValue)
                .map(result -> result.getStatistics().getPercentile(50))
                .map(CostTable::number)
                .findFirst()
                .orElse("-");
    }

    private static String number(double value) {
        return String.format(Locale.ROOT, "%.1f", Math.abs(value) < 0.05 ? 0 : value);
    }

    private static String row(Object... cells) {
        return String.format(Locale.ROOT, ROW, cells);
    }
}
