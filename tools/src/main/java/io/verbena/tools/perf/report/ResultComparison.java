package io.verbena.tools.perf.report;

import io.verbena.report.Numbers;
import io.verbena.tools.perf.report.SavedResult.Size;
import io.verbena.tools.program.ProgramException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.BiPredicate;
import java.util.stream.Collectors;

/// The comparison of an old and a new result of one test, figure by figure.
///
/// - `rows`: one for each size and figure that both results have
/// - `remarks`: other differences, which may explain those of the figures
record ResultComparison(List<Row> rows, List<String> remarks) {
    enum Verdict {
        BETTER("better"),
        SAME("same"),
        WORSE("WORSE"),
        /// The figures differ by more than the threshold, but by less than the resolution of the clock or counter in so
        /// few messages.
        UNCLEAR("(too few messages to tell)"),
        SHOWN("(not judged)");

        private final String text;

        Verdict(String text) {
            this.text = text;
        }

        String text() {
            return text;
        }
    }

    /// `ratio` is new by old, NaN where old is 0.
    record Row(long bytes, Metric metric, double old, double now, Verdict verdict) {
        double ratio() {
            return old == 0 ? Double.NaN : now / old;
        }
    }

    /// @param threshold the largest relative change that counts as equal: 0.05 for 5 %
    /// @param judged whether to judge a figure that comes from that many samples, or only to show it
    static ResultComparison of(SavedResult old, SavedResult now, double threshold, BiPredicate<Metric, Long> judged) {
        if (!old.test().equals(now.test())) {
            throw new ProgramException("the tests differ: " + old.test() + " and " + now.test()
                    + "; compare two results of the same test");
        }
        List<Row> rows = new ArrayList<>();
        for (Size before : old.sizes()) {
            now.sizes().stream()
                    .filter(after -> after.bytes() == before.bytes())
                    .forEach(after -> addRows(rows, before, after, threshold, judged));
        }
        if (rows.stream().allMatch(row -> row.verdict() == Verdict.SHOWN)) {
            throw new ProgramException("the results have no size and figure in common that can be judged: sizes "
                    + sizes(old) + " and " + sizes(now) + errors(old, now));
        }
        return new ResultComparison(rows, remarks(old, now));
    }

    private static void addRows(
            List<Row> rows, Size before, Size after, double threshold, BiPredicate<Metric, Long> judged) {
        long samples = Math.min(before.samples(), after.samples());
        long messages = Math.min(before.messages(), after.messages());
        for (Metric metric : Metric.values()) {
            Double old = before.values().get(metric);
            Double now = after.values().get(metric);
            if (old != null && now != null) {
                Verdict verdict =
                        judged.test(metric, samples) ? judge(metric, old, now, threshold, messages) : Verdict.SHOWN;
                rows.add(new Row(before.bytes(), metric, old, now, verdict));
            }
        }
    }

    static Verdict judge(Metric metric, double old, double now, double threshold, long messages) {
        double change = metric.better() == Metric.Better.LOWER ? now - old : old - now;
        // allows for the rounding of doubles, so that a change of exactly the threshold counts as equal
        double forgiving = 1 + 1e-9;
        if (Math.abs(change) <= Math.max(threshold * old, metric.slack()) * forgiving) {
            return Verdict.SAME;
        }
        if (Math.abs(change) <= metric.slackOf(messages) * forgiving) {
            return Verdict.UNCLEAR;
        }
        return change > 0 ? Verdict.WORSE : Verdict.BETTER;
    }

    private static List<String> remarks(SavedResult old, SavedResult now) {
        List<String> remarks = new ArrayList<>();
        addError(remarks, "old", old);
        addError(remarks, "new", now);
        addDifferences(remarks, "parameter", old.parameters(), now.parameters(), Set.of("sizes"));
        addDifferences(remarks, "environment", old.environment(), now.environment(), Set.of("date", "peer"));
        addMissing(remarks, "old", old, now);
        addMissing(remarks, "new", now, old);
        remarks.replaceAll(Fields::printable);
        return remarks;
    }

    private static String errors(SavedResult old, SavedResult now) {
        List<String> errors = new ArrayList<>();
        addError(errors, "old", old);
        addError(errors, "new", now);
        errors.replaceAll(error -> "; " + Fields.printable(error));
        return String.join("", errors);
    }

    private static void addError(List<String> remarks, String which, SavedResult result) {
        if (!result.error().isEmpty()) {
            remarks.add("the " + which + " run ended early: " + result.error());
        }
    }

    private static void addDifferences(
            List<String> remarks, String kind, Map<String, Object> old, Map<String, Object> now, Set<String> natural) {
        Set<String> names = new LinkedHashSet<>(old.keySet());
        names.addAll(now.keySet());
        names.removeAll(natural);
        for (String name : names) {
            if (!Objects.equals(old.get(name), now.get(name))) {
                remarks.add(kind + " " + name + " differs: " + text(old.get(name)) + " and " + text(now.get(name)));
            }
        }
    }

    private static void addMissing(List<String> remarks, String which, SavedResult one, SavedResult other) {
        List<Long> others = other.sizes().stream().map(Size::bytes).toList();
        String only = one.sizes().stream()
                .map(Size::bytes)
                .filter(bytes -> !others.contains(bytes))
                .map(String::valueOf)
                .collect(Collectors.joining(", "));
        if (!only.isEmpty()) {
            remarks.add("only the " + which + " result has the sizes " + only);
        }
    }

    private static String sizes(SavedResult result) {
        return result.sizes().stream()
                .map(size -> String.valueOf(size.bytes()))
                .collect(Collectors.joining(", ", "[", "]"));
    }

    /// A value of a document, as people read it.
    static String text(Object value) {
        return switch (value) {
            case null -> "-";
            case Number number -> Numbers.plain(number.doubleValue());
            case List<?> list -> list.stream().map(ResultComparison::text).collect(Collectors.joining(", "));
            default -> String.valueOf(value);
        };
    }
}
