package io.verbena.bench.report;

import io.verbena.bench.run.Cell;
import io.verbena.bench.run.Metric;
import io.verbena.bench.run.Records;
import io.verbena.bench.side.Measurement;
import io.verbena.bench.side.Measurement.Kind;
import io.verbena.bench.side.Measurement.Operation;
import io.verbena.bench.side.Measurement.Waiting;
import io.verbena.bench.side.Names;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
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

    String title() {
        return title;
    }

    String axis() {
        return metric == Metric.MEDIAN ? "median" : metric.unit();
    }

    String text(double value) {
        return metric == Metric.MEDIAN ? Numbers.time(value) : Numbers.number(value);
    }

    /// By contestant and operation.
    List<CurveChart.Series> series(Records records) {
        Map<String, CurveChart.Series> all = new LinkedHashMap<>();
        for (Cell cell : records.cells()) {
            double value = records.spread(cell, metric).median();
            if (belongs.test(cell.measurement()) && value > 0) {
                String name = name(cell);
                all.computeIfAbsent(name, _ -> series(name, cell))
                        .points()
                        .put(cell.measurement().size(), value);
            }
        }
        return all.values().stream()
                .sorted(Comparator.comparingInt(CurveChart.Series::colour))
                .toList();
    }

    private static CurveChart.Series series(String name, Cell cell) {
        int place = Names.ALL.indexOf(cell.contestant());
        boolean dashed = cell.measurement().operation() == Operation.READ;
        return new CurveChart.Series(name, new TreeMap<>(), Math.max(0, place), place == 0 || place == 1, dashed);
    }

    private static String name(Cell cell) {
        Operation operation = cell.measurement().operation();
        return switch (operation) {
            case WRITE, READ -> cell.contestant() + " " + operation.name().toLowerCase(Locale.ROOT);
            default -> cell.contestant();
        };
    }
}
