package io.verbena.bench.report;

import io.verbena.bench.run.Cell;
import io.verbena.bench.run.Metric;
import io.verbena.bench.run.Outcome;
import io.verbena.bench.run.Records;
import io.verbena.bench.run.Spread;
import io.verbena.bench.side.Measurement;
import io.verbena.bench.side.Measurement.Kind;
import io.verbena.report.Numbers;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/// The tables on the terminal: every measurement, then the goals.
public final class TextReport {
    private static final String ROUND_TRIP_ROW = "  %-24s %10s %19s %10s %11s %8s %9s%n";
    private static final String STREAM_ROW = "  %-24s %10s %19s %10s %11s %8s %9s%n";
    private static final String GOAL_ROW = "%-7s %6s %-14s %6s %9s %9s %-7s %7s  %s%n";
    private static final String GOAL_DETAIL = "          - %s";

    private final BenchReport report;
    private final StringBuilder text = new StringBuilder();

    private TextReport(BenchReport report) {
        this.report = report;
    }

    public static String of(BenchReport report) {
        TextReport writer = new TextReport(report);
        writer.write();
        return writer.text.toString();
    }

    private void write() {
        text.append(report.machine()).append('\n');
        line(
                "Medians of %d rounds, in brackets the quartiles; \"line\" is the cache-line round trip just before.",
                report.timing().rounds());
        Map<Measurement, List<Cell>> byMeasurement = new LinkedHashMap<>();
        for (Cell cell : report.records().cells()) {
            byMeasurement
                    .computeIfAbsent(cell.measurement(), _ -> new ArrayList<>())
                    .add(cell);
        }
        byMeasurement.forEach(this::measurement);
        remarks();
        goals();
    }

    private void measurement(Measurement measurement, List<Cell> cells) {
        text.append('\n').append(measurement).append('\n');
        boolean stream = measurement.kind() == Kind.STREAM;
        if (stream) {
            row(STREAM_ROW, "", "GB/s", "", "Mmsg/s", "CPU ns/msg", "B/msg", "line ns");
        } else {
            row(ROUND_TRIP_ROW, "", "p50", "", "p99", "CPU ns/msg", "B/msg", "line ns");
        }
        for (Cell cell : cells) {
            if (stream) {
                stream(cell);
            } else {
                roundTrip(cell);
            }
        }
    }

    private void roundTrip(Cell cell) {
        Records records = report.records();
        Spread median = records.spread(cell, Metric.MEDIAN);
        row(
                ROUND_TRIP_ROW,
                cell.contestant(),
                Numbers.time(median.median()),
                Spreads.times(median),
                Numbers.time(records.spread(cell, Metric.TAIL).median()),
                Numbers.rounded(records.spread(cell, Metric.CPU).median()),
                Numbers.rounded(records.spread(cell, Metric.ALLOCATED).median()),
                Numbers.rounded(records.probe(cell).median()));
    }

    private void stream(Cell cell) {
        Records records = report.records();
        Spread bandwidth = records.spread(cell, Metric.BANDWIDTH);
        row(
                STREAM_ROW,
                cell.contestant(),
                Numbers.rounded(bandwidth.median()),
                Spreads.text(bandwidth),
                Numbers.rounded(records.spread(cell, Metric.RATE).median()),
                Numbers.rounded(records.spread(cell, Metric.CPU).median()),
                Numbers.rounded(records.spread(cell, Metric.ALLOCATED).median()),
                Numbers.rounded(records.probe(cell).median()));
    }

    private void remarks() {
        if (!report.remarks().isEmpty()) {
            text.append('\n');
            report.remarks().forEach((name, remark) -> line("%s: %s", name, remark));
        }
        if (!report.skipped().isEmpty()) {
            text.append('\n');
            report.skipped().forEach((name, why) -> line("%s: skipped: %s", name, why));
        }
    }

    private void goals() {
        text.append('\n').append("Goals: medians of ratios between runs of the same round\n");
        row(GOAL_ROW, "", "ratio", "quartiles", "goal", "ours", "peer", "unit", "line ns", "");
        report.outcomes().forEach(this::goal);
        report.tooFewRounds().ifPresent(warning -> line("%n%s", warning));
        text.append('\n').append(report.summary()).append('\n');
    }

    private void goal(Outcome outcome) {
        if (outcome.isSkipped()) {
            line("%-7s %s: %s", "skipped", outcome.goal(), outcome.skipped());
            return;
        }
        row(
                GOAL_ROW,
                outcome.met() ? "met" : "MISSED",
                Numbers.rounded(outcome.ratio().median()),
                Spreads.text(outcome.ratio()),
                outcome.goal().sign() + Numbers.rounded(outcome.goal().target()),
                Numbers.rounded(outcome.ours()),
                Numbers.rounded(outcome.peer()),
                outcome.goal().metric().unit(),
                Numbers.rounded(outcome.probeNs()),
                outcome.goal());
        for (Outcome.Part part : outcome.parts()) {
            line(
                    GOAL_DETAIL,
                    outcome.goal().partName(part.pair()) + ": " + Numbers.rounded(part.ours()) + " against "
                            + Numbers.rounded(part.peer()) + ", "
                            + Numbers.rounded(part.ratio().median()) + " " + Spreads.text(part.ratio()));
        }
        for (String remark :
                outcome.remark().isEmpty() ? new String[0] : outcome.remark().split("; ")) {
            line(GOAL_DETAIL, remark);
        }
    }

    private void row(String format, Object... cells) {
        text.append(String.format(Locale.ROOT, format, cells).stripTrailing()).append('\n');
    }

    private void line(String format, Object... values) {
        text.append(String.format(Locale.ROOT, format, values)).append('\n');
    }
}
