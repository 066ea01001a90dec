package io.verbena.bench.report;

import io.verbena.bench.run.Cell;
import io.verbena.bench.run.Goal;
import io.verbena.bench.run.Metric;
import io.verbena.bench.run.Outcome;
import io.verbena.bench.run.Records;
import io.verbena.bench.run.Spread;
import io.verbena.bench.side.Measurement;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/// The two files of `--json`: the goals, and everything.
public final class JsonReport {
    private JsonReport() {}

    /// An array with one object for each goal.
    public static String goals(BenchReport report) {
        return Json.of(report.outcomes().stream().map(JsonReport::goal).toList());
    }

    private static Map<String, Object> goal(Outcome outcome) {
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("goal", outcome.goal().toString());
        object.put("ours", outcome.ours());
        object.put("peer", outcome.peer());
        object.put("unit", outcome.goal().metric().unit());
        object.put("ratio", outcome.ratio().median());
        object.put("target", outcome.goal().target());
        object.put("met", outcome.met());
        object.put("direction", outcome.goal().atMost() ? "at most" : "at least");
        object.put("rounds", outcome.ratio().count());
        object.put("ratioQuartiles", quartiles(outcome.ratio()));
        object.put("cacheLineNs", outcome.probeNs());
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
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("what", goal.partName(part.pair()));
        object.put("ours", part.ours());
        object.put("peer", part.peer());
        object.put("ratio", part.ratio().median());
        object.put("ratioQuartiles", quartiles(part.ratio()));
        return object;
    }

    private static List<Double> quartiles(Spread spread) {
        return List.of(spread.low(), spread.high());
    }

    /// MachineInfo, contestants, and all measurements with every round.
    public static String everything(BenchReport report) {
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("machine", machine(report.machine()));
        object.put("rounds", report.timing().rounds());
        object.put("remarks", report.remarks());
        object.put("skipped", report.skipped());
        object.put("goals", report.outcomes().stream().map(JsonReport::goal).toList());
        List<Object> measurements = new ArrayList<>();
        for (Cell cell : report.records().cells()) {
            measurements.add(measurement(cell, report.records()));
        }
        object.put("measurements", measurements);
        return Json.of(object);
    }

    private static Map<String, Object> machine(MachineInfo machine) {
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("processor", machine.processor());
        object.put("processors", machine.processors());
        object.put("system", machine.system());
        object.put("java", machine.java());
        object.put("collector", machine.collector());
        object.put("date", machine.date());
        return object;
    }

    private static Map<String, Object> measurement(Cell cell, Records records) {
        Measurement m = cell.measurement();
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("contestant", cell.contestant());
        object.put("kind", lower(m.kind()));
        object.put("operation", lower(m.operation()));
        object.put("size", m.size());
        object.put("waiting", lower(m.waiting()));
        object.put("payloadRead", m.read());
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
