package io.verbena.tools.perf.report;

import io.verbena.report.Json;
import io.verbena.report.JsonObject;
import io.verbena.report.Numbers;
import io.verbena.tools.perf.report.ResultComparison.Row;
import io.verbena.tools.perf.report.ResultComparison.Verdict;
import io.verbena.tools.program.ProgramException;
import io.verbena.tools.text.Style;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.function.BiPredicate;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// Compares two saved results, for people and for CI.
@Command(
        name = "compare",
        mixinStandardHelpOptions = true,
        description = {
            "Compares two results of 'perf --json', value by value.",
            "A value counts as unchanged while it stays within the threshold."
        },
        footer = {
            "",
            "Examples:",
            "  verbena perf compare old.json new.json                      5 %% are allowed",
            "  verbena perf compare old.json new.json --threshold 10%%",
            "  verbena perf compare old.json new.json --metric p50,p99     judge these only",
            "",
            "Exit code 0 when nothing is worse, 1 when a figure is, 2 when the files cannot be compared."
        })
public final class CompareCommand implements Callable<Integer> {
    private static final String ROW = "%10s  %-10s %-7s %14s %14s %8s  %s";
    private static final int WORSE = 1;

    @Parameters(index = "0", paramLabel = "OLD.json", description = "The old result.")
    private Path old;

    @Parameters(index = "1", paramLabel = "NEW.json", description = "The new result.")
    private Path now;

    @Option(names = "--threshold", paramLabel = "PERCENT", description = "How much worse a value may be. Default: 5%%.")
    private String threshold = "5%";

    @Option(
            names = "--metric",
            paramLabel = "NAME",
            split = ",",
            description = "The values to judge. Default: all except those that depend on a few samples: min,"
                    + " p99.99, max, peak, and percentiles with fewer than ten samples above them.")
    private List<String> metrics;

    @Option(names = "--json", description = "Print the comparison as JSON.")
    private boolean json;

    @Spec
    private CommandSpec spec;

    CompareCommand() {}

    @Override
    public Integer call() {
        ResultComparison comparison = compare();
        boolean worse = comparison.rows().stream().anyMatch(row -> row.verdict() == Verdict.WORSE);
        PrintWriter out = spec.commandLine().getOut();
        if (json) {
            out.println(Json.write(new JsonObject()
                    .with("old", old.toString())
                    .with("new", now.toString())
                    .with("threshold", fraction())
                    .with("worse", worse)
                    .with("remarks", comparison.remarks())
                    .with(
                            "figures",
                            comparison.rows().stream().map(CompareCommand::json).toList())));
        } else {
            print(out, comparison);
        }
        out.flush();
        return worse ? WORSE : 0;
    }

    private ResultComparison compare() {
        double fraction = fraction();
        BiPredicate<Metric, Long> judged = judged();
        try {
            return ResultComparison.of(SavedResult.read(old), SavedResult.read(now), fraction, judged);
        } catch (ProgramException e) {
            throw wrong(e.getMessage());
        }
    }

    private double fraction() {
        String digits = threshold.strip().replaceFirst("\\s*%$", "");
        if (!digits.matches("\\d{1,6}(\\.\\d{1,6})?")) {
            throw wrong("--threshold: '" + threshold + "' is no percentage from 0 on; write it like 5% or 2.5%");
        }
        return Double.parseDouble(digits) / 100;
    }

    private BiPredicate<Metric, Long> judged() {
        if (metrics == null) {
            return (metric, samples) -> metric.isJudged() && metric.isToldBy(samples);
        }
        Set<Metric> judged = EnumSet.noneOf(Metric.class);
        for (String name : metrics) {
            Metric metric = Metric.of(name.strip());
            if (metric == null) {
                throw wrong("--metric: there is no figure '" + name + "'; there are "
                        + Arrays.stream(Metric.values()).map(Metric::label).collect(Collectors.joining(", ")));
            }
            judged.add(metric);
        }
        return (metric, samples) -> judged.contains(metric);
    }

    private ParameterException wrong(String message) {
        return new ParameterException(spec.commandLine(), message);
    }

    private static Map<String, Object> json(Row row) {
        return new JsonObject()
                .with("bytes", row.bytes())
                .with("metric", row.metric().label())
                .with("unit", row.metric().unit())
                .with("old", row.old())
                .with("new", row.now())
                .with("ratio", row.ratio())
                .with("verdict", row.verdict().name().toLowerCase(Locale.ROOT));
    }

    private void print(PrintWriter out, ResultComparison comparison) {
        comparison.remarks().forEach(remark -> out.println(Style.YELLOW.on("note: " + remark)));
        out.println(Style.BOLD.on(line("bytes", "figure", "unit", "old", "new", "ratio", "verdict")));
        for (Row row : comparison.rows()) {
            String text = line(
                    row.bytes(),
                    row.metric().label(),
                    row.metric().unit(),
                    Numbers.fixed(row.old()),
                    Numbers.fixed(row.now()),
                    Numbers.fixed(row.ratio(), 3),
                    row.verdict().text());
            out.println(style(row.verdict(), text));
        }
        out.println(summary(comparison));
    }

    private static String style(Verdict verdict, String text) {
        return switch (verdict) {
            case WORSE -> Style.RED.on(text);
            case BETTER -> Style.GREEN.on(text);
            case SAME -> text;
            case SHOWN, UNCLEAR -> Style.DIM.on(text);
        };
    }

    private String summary(ResultComparison comparison) {
        return String.format(
                Locale.ROOT,
                "%d worse, %d better, %d the same within %s %%",
                count(comparison, Verdict.WORSE),
                count(comparison, Verdict.BETTER),
                count(comparison, Verdict.SAME),
                Numbers.plain(fraction() * 100));
    }

    private static long count(ResultComparison comparison, Verdict verdict) {
        return comparison.rows().stream()
                .filter(row -> row.verdict() == verdict)
                .count();
    }

    private static String line(Object... cells) {
        return String.format(Locale.ROOT, ROW, cells).stripTrailing();
    }
}
