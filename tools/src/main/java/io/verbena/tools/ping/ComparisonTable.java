package io.verbena.tools.ping;

import io.verbena.report.JsonObject;
import io.verbena.tools.device.PathSeen;
import io.verbena.tools.program.Output;
import java.util.List;
import java.util.Locale;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;

/// The table of the nine modes, and the lesson from it. `path` is the path that the messages took.
record ComparisonTable(List<ComparisonRow> rows, long size, String path, int processors) {
    private static final double ALL_OF_A_CORE = 80;

    void print(Output output) {
        output.result(new JsonObject()
                .with("size", size)
                .with("path", path)
                .with("processors", processors)
                .with("ways", rows.stream().map(ComparisonRow::json).toList())
                .with("lesson", lesson()));
        output.say(
                "Round trip of %,d bytes over %s in microseconds; CPU time, user and kernel, as share of one core",
                size, path);
        output.say("");
        output.say("                      round trip         CPU, pinging      CPU, idle");
        output.say("--cm    --wait      p50      p99     mean   client  server   client  server");
        for (ComparisonRow row : rows) {
            output.say(
                    "%-6s  %-6s %8s %8s %8s   %6s  %6s   %6s  %6s",
                    row.mode().cm(),
                    row.mode().completions(),
                    number(row.times().percentile(50)),
                    number(row.times().percentile(99)),
                    number(row.times().mean()),
                    percent(row.busy().client()),
                    percent(row.busy().server()),
                    percent(row.idle().client()),
                    percent(row.idle().server()));
        }
        output.say("");
        output.say("%s", lesson());
        if (path.equals(PathSeen.SHARED_MEMORY)) {
            output.say("Who waits at shared memory looks a little before it sleeps: see verbena.soft.spin in"
                    + " docs/software-device.md.");
        }
        if (processors <= 2) {
            output.say(
                    "This machine has %d processors: where both sides spin, nothing is left for anybody else.",
                    processors);
        }
    }

    /// The lesson in the numbers of this run, which may differ from those of the course.
    String lesson() {
        if (rows.stream().anyMatch(row -> !row.idle().isMeasured())) {
            return "Stopped before all was measured.";
        }
        double spinning = median(WaitMode::spins, row -> row.times().percentile(50));
        double sleeping = median(mode -> !mode.spins(), row -> row.times().percentile(50));
        double idle = median(WaitMode::spins, ComparisonTable::idle);
        return String.format(
                Locale.ROOT,
                "Spinning: %s microseconds, and %.0f %% of a core on each side even when idle%s."
                        + " Sleeping: %s, %s, and %.0f %% when idle.",
                number(spinning),
                idle,
                idle < ALL_OF_A_CORE ? " (it would take all, but other programs ran as well)" : "",
                number(sleeping),
                sleeping > spinning
                        ? String.format(Locale.ROOT, "%.1f times slower", sleeping / spinning)
                        : "not slower this time",
                median(mode -> !mode.spins(), ComparisonTable::idle));
    }

    private static double idle(ComparisonRow row) {
        return (row.idle().client() + row.idle().server()) / 2;
    }

    private double median(Predicate<WaitMode> which, ToDoubleFunction<ComparisonRow> value) {
        double[] sorted = rows.stream()
                .filter(row -> which.test(row.mode()))
                .mapToDouble(value)
                .sorted()
                .toArray();
        return sorted.length == 0 ? Double.NaN : sorted[sorted.length / 2];
    }

    private static String percent(double value) {
        return Double.isNaN(value) ? "-" : String.format(Locale.ROOT, "%.0f %%", value);
    }

    private static String number(double value) {
        return String.format(Locale.ROOT, value < 100 ? "%.1f" : "%,.0f", value);
    }
}
