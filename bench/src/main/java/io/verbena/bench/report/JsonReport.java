package io.verbena.bench.report;

import io.verbena.bench.run.Cell;
import io.verbena.bench.run.Goal;
import io.verbena.bench.run.Metric;
import io.verbena.bench.run.Outcome;
import io.verbena.bench.run.Records;
import io.verbena.bench.run.Spread;
import io.verbena.bench.side.Measurement;
import io.verbena.report.Json;
import io.verbena.report.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/// The two files of `--json`: the goals, and everything.
public final class JsonReport {
    private JsonReport() {}

    /// An array with one object for each goal.
    public static String goals(BenchReport report) {
        return Json.exact(report.outcomes().stream().map(JsonReport::goal).toList());
    }

    private static Map<String, Object> goal(Outcome outcome) {
        Map<String, Object> object = new JsonObject()
                .with("goal", outcome.goal().toString())
                .with("ours", outcome.ours())
                .with("peer", outcome.peer())
                .with("unit", outcome.goal().metric().unit())
                .with("ratio", outcome.ratio().median())
                .with("target", outcome.goal().target())
                .with("met", outcome.met())
                .with("direction", outcome.goal().atMost() ? "at most" : "at least")
                .with("rounds", outcome.ratio().count())
                .with("ratioQuartiles", quartiles(outcome.ratio()))
                .with("cacheLineNs", outcome.probeNs());
        if (!outcome.parts().isEmpty()) {
            object.put(
                    "parts",
                    outcome.parts().stream()
                            .map(part -> part(outcome.goal(), part))
                            .toList());
        }
        if (!outcome.remark().isEmpty()) {
            object.put("remark", outcome.remark());
        }
        if (outcome.isSkipped()) {
            object.put("skipped", true);
            object.put("why", outcome.skipped());
        }
        return object;
    }

    private static Map<String, Object> part(Goal goal, Outcome.Part part) {
        return new JsonObject()
                .with("what", goal.partName(part.pair()))
                .with("ours", part.ours())
                .with("peer", part.peer())
                .with("ratio", part.ratio().median())
                .with("ratioQuartiles", quartiles(part.ratio()));
    }

    private static List<Double> quartiles(Spread spread) {
        return List.of(spread.low(), spread.high());
    }

    /// MachineInfo, contestants, and all measurements with every round.
    public static String everything(BenchReport report) {
        Map<String, Object> object = new JsonObject()
                .with("machine", machine(report.machine()))
                .with("rounds", report.timing().rounds())
                .with("remarks", report.remarks())
                .with("skipped", report.skipped())
                .with("goals", report.outcomes().stream().map(JsonReport::goal).toList());
        List<Object> measurements = new ArrayList<>();
        for (Cell cell : report.records().cells()) {
            measurements.add(measurement(cell, report.records()));
        }
        object.put("measurements", measurements);
        return Json.exact(object);
    }

    private static Map<String, Object> machine(MachineInfo machine) {
        return new JsonObject()
                .with("processor", machine.processor())
                .with("processors", machine.processors())
                .with("system", machine.system())
                .with("java", machine.java())
                .with("collector", machine.collector())
                .with("date", machine.date());
    }

    private static Map<String, Object> measurement(Cell cell, Records records) {
        Measurement m = cell.measurement();
        Map<String, Object> object = new JsonObject()
                .with("contestant", cell.contestant())
                .with("kind", lower(m.kind()))
                .with("operation", lower(m.operation()))
                .with("size", m.size())
                .with("waiting", lower(m.waiting()))
                .with("payloadRead", m.read());
        for (Metric metric : Metric.values()) {
            Spread spread = records.spread(cell, metric);
            if (!spread.isEmpty()) {
                object.put(metric.unit(), List.of(spread.median(), spread.low(), spread.high()));
            }
        }
        if (!records.events(cell).isEmpty()) {
            object.put("eventsPerSecond", records.events(cell));
        }
        object.put(
                "byRound",
                records.of(cell).stream()
                        .map(entry -> Map.of(
                                "round",
                                entry.round(),
                                "cacheLineNs",
                                entry.probeNs(),
                                "result",
                                entry.result().toLine()))
                        .toList());
        return object;
    }

    private static String lower(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }
}
