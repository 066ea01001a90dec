package io.verbena.bench.run;

import io.verbena.bench.side.RunResult;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// All results of a run, by cell and round.
public final class Records {
    private final Map<Cell, List<Entry>> entries = new LinkedHashMap<>();

    public Records() {}

    /// - `probeNs`: the cache-line round trip just before, which shows the condition of the machine
    public record Entry(int round, RunResult result, double probeNs) {}

    public void add(Cell cell, int round, RunResult result, double probeNs) {
        entries.computeIfAbsent(cell, _ -> new ArrayList<>()).add(new Entry(round, result, probeNs));
    }

    public Set<Cell> cells() {
        return entries.keySet();
    }

    public List<Entry> of(Cell cell) {
        return entries.getOrDefault(cell, List.of());
    }

    public Spread spread(Cell cell, Metric metric) {
        return Spread.of(of(cell).stream()
                .mapToDouble(entry -> metric.of(entry.result()))
                .toArray());
    }

    /// Events per second, by name: medians of the rounds. Empty when none were counted.
    public Map<String, Double> events(Cell cell) {
        Map<String, List<Double>> byName = new LinkedHashMap<>();
        for (Entry entry : of(cell)) {
            entry.result()
                    .events()
                    .forEach((name, rate) ->
                            byName.computeIfAbsent(name, _ -> new ArrayList<>()).add(rate));
        }
        Map<String, Double> medians = new LinkedHashMap<>();
        byName.forEach((name, rates) -> medians.put(name, median(rates)));
        return medians;
    }

    private static double median(List<Double> numbers) {
        return Spread.of(numbers.stream().mapToDouble(Double::doubleValue).toArray())
                .median();
    }

    public Spread probe(Cell cell) {
        return Spread.of(of(cell).stream().mapToDouble(Entry::probeNs).toArray());
    }

    /// One ratio for each round that has both.
    public Spread ratio(Cell ours, Cell peer, Metric metric) {
        List<Double> ratios = new ArrayList<>();
        for (Entry mine : of(ours)) {
            for (Entry theirs : of(peer)) {
                if (mine.round() == theirs.round()) {
                    ratios.add(metric.of(mine.result()) / metric.of(theirs.result()));
                }
            }
        }
        return Spread.of(ratios.stream().mapToDouble(Double::doubleValue).toArray());
    }
}
