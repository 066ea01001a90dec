package io.verbena.bench.report;

import io.verbena.bench.run.Cell;
import io.verbena.bench.run.Metric;
import io.verbena.bench.run.Records;
import io.verbena.bench.side.Measurement;
import io.verbena.bench.side.Measurement.Kind;
import io.verbena.bench.side.Measurement.Operation;
import io.verbena.bench.side.Measurement.Waiting;
import io.verbena.bench.side.Names;
import io.verbena.bench.side.Sizes;
import io.verbena.report.Axis;
import io.verbena.report.Chart;
import io.verbena.report.Chart.Line;
import io.verbena.report.Chart.Point;
import io.verbena.report.Chart.Weight;
import io.verbena.report.Numbers;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/// The curves that belong into one chart.
enum Curves {
    SEND_TIME(
            "Round trip, SEND, payload read",
            Metric.MEDIAN,
            Kind.ROUND_TRIP,
            Set.of(Operation.SEND, Operation.DATAGRAM)),
    DIRECT_TIME(
            "Round trip, WRITE and READ",
            Metric.MEDIAN,
            Kind.ROUND_TRIP,
            Set.of(Operation.WRITE, Operation.READ, Operation.CACHE_LINE)),
    SEND_BANDWIDTH(
            "Bandwidth, SEND, payload read",
            Metric.BANDWIDTH,
            Kind.STREAM,
            Set.of(Operation.SEND, Operation.COPY, Operation.DATAGRAM)),
    DIRECT_BANDWIDTH(
            "Bandwidth, WRITE and READ",
            Metric.BANDWIDTH,
            Kind.STREAM,
            Set.of(Operation.WRITE, Operation.READ, Operation.COPY)),
    RATE("Message rate, SEND, payload read", Metric.RATE, Kind.STREAM, Set.of(Operation.SEND));

    private final String title;
    private final Metric metric;
    private final Predicate<Measurement> belongs;

    Curves(String title, Metric metric, Kind kind, Set<Operation> operations) {
        this.title = title;
        this.metric = metric;
        this.belongs = m -> m.kind() == kind
                && m.waiting() == Waiting.SPIN
                && operations.contains(m.operation())
                && (m.operation() != Operation.SEND || m.read());
    }

    /// Empty when nobody was measured.
    Optional<Chart> chart(Records records) {
        List<Line> lines = lines(records);
        if (lines.isEmpty()) {
            return Optional.empty();
        }
        List<Point> points =
                lines.stream().flatMap(line -> line.points().stream()).toList();
        var sizes = points.stream().mapToDouble(Point::x).summaryStatistics();
        var values = points.stream().mapToDouble(Point::y).summaryStatistics();
        return Optional.of(new Chart(
                title,
                "",
                Axis.sizes("size of message", (long) sizes.getMin(), (long) sizes.getMax()),
                Axis.logarithmic(
                        (metric == Metric.MEDIAN ? "median" : metric.unit()) + " (logarithmic)",
                        values.getMin(),
                        values.getMax(),
                        metric == Metric.MEDIAN ? Numbers::time : Numbers::plain),
                lines));
    }

    /// By contestant and operation.
    private List<Line> lines(Records records) {
        Map<String, Line> all = new LinkedHashMap<>();
        for (Cell cell : records.cells()) {
            double value = records.spread(cell, metric).median();
            if (belongs.test(cell.measurement()) && value > 0) {
                String name = name(cell);
                int size = cell.measurement().size();
                all.computeIfAbsent(name, _ -> line(name, cell))
                        .points()
                        .add(new Point(size, value, name + ", " + Sizes.text(size) + ": " + text(value)));
            }
        }
        all.values().forEach(line -> line.points().sort(Comparator.comparingDouble(Point::x)));
        return all.values().stream()
                .sorted(Comparator.comparingInt(Line::colour))
                .toList();
    }

    /// A contestant has the same colour in all charts.
    private static Line line(String name, Cell cell) {
        int place = Names.ALL.indexOf(cell.contestant());
        boolean second = cell.measurement().operation() == Operation.READ;
        Weight weight = second ? Weight.FAINT : place == 0 || place == 1 ? Weight.STRONG : Weight.NORMAL;
        return new Line(name, Math.max(0, place), weight, new ArrayList<>());
    }

    private String text(double value) {
        return metric == Metric.MEDIAN ? Numbers.time(value) : Numbers.rounded(value);
    }

    private static String name(Cell cell) {
        Operation operation = cell.measurement().operation();
        return switch (operation) {
            case WRITE, READ -> cell.contestant() + " " + operation.name().toLowerCase(Locale.ROOT);
            default -> cell.contestant();
        };
    }
}
