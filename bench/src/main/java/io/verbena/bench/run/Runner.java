package io.verbena.bench.run;

import io.verbena.bench.pair.PairContestant;
import io.verbena.bench.side.Contestant;
import io.verbena.bench.side.Measurement;
import io.verbena.bench.side.Measurement.Operation;
import io.verbena.bench.side.Names;
import io.verbena.bench.side.RunResult;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Runs the measurements of all contestants in turns. All are started and warmed up first. Then each round measures
/// each cell once, with the probe before it. Every other round is in reverse order, so that no contestant is always
/// first.
public final class Runner implements AutoCloseable {
    private static final Duration LIMIT = Duration.ofSeconds(30);
    private static final Measurement PROBE = Measurement.roundTrip(Operation.CACHE_LINE, Long.BYTES);

    private final Map<String, Entrant> entrants = new LinkedHashMap<>();
    private final Entrant probe;
    private final RunPlan plan;
    private final Timing timing;
    private final RunProgress progress;
    private final Records records = new Records();
    private final long startNs = System.nanoTime();
    private final int warmUps;
    private int done;

    /// @param probe the contestant that measures the cache line
    public Runner(List<Contestant> contestants, Contestant probe, RunPlan plan, Timing timing, RunProgress progress) {
        this(contestants, probe, plan, timing, progress, LIMIT);
    }

    Runner(
            List<Contestant> contestants,
            Contestant probe,
            RunPlan plan,
            Timing timing,
            RunProgress progress,
            Duration limit) {
        contestants.forEach(one -> entrants.put(one.name(), new Entrant(one, limit)));
        this.probe = entrants.computeIfAbsent(probe.name(), _ -> new Entrant(probe, limit));
        this.plan = plan;
        this.timing = timing;
        this.progress = progress;
        warmUps = entrants.values().stream()
                .mapToInt(one ->
                        one.contestant().warmUps() * plan.cellsOf(one.name()).size())
                .sum();
    }

    public Records run() {
        start();
        warmUp(plan.goalCells());
        for (int round = 1; round <= timing.rounds(); round++) {
            if (isOver(timing.limit())) {
                progress.note("the time is over after " + (round - 1) + " of " + timing.rounds() + " rounds");
                break;
            }
            round(round, plan.goalCells(), timing.goal());
        }
        if (!isOverBudget()) {
            warmUp(plan.otherCells());
        }
        for (int round = 1; round <= timing.otherRounds() && !isOverBudget(); round++) {
            round(round, plan.otherCells(), timing.other());
        }
        progress.end();
        return records;
    }

    private boolean isOverBudget() {
        return isOver(timing.budget());
    }

    private boolean isOver(Duration time) {
        return System.nanoTime() - startNs > time.toNanos();
    }

    private int steps() {
        return plan.goalCells().size() * timing.rounds() + plan.otherCells().size() * timing.otherRounds() + warmUps;
    }

    private void start() {
        for (Entrant entrant : entrants.values()) {
            if (entrant != probe && plan.cellsOf(entrant.name()).isEmpty()) {
                continue;
            }
            progress.step("starting " + entrant.name(), done, steps());
            if (!entrant.open()) {
                progress.note(entrant.name() + ": skipped: " + entrant.out());
            }
        }
        measure(probe, PROBE, timing.warmUp());
    }

    /// Warms up one contestant after the other. On a machine so busy that this takes half the time, once is enough.
    private void warmUp(List<Cell> cells) {
        for (Entrant entrant : entrants.values()) {
            for (int time = 0; time < entrant.contestant().warmUps(); time++) {
                for (Cell cell : cells) {
                    if (cell.contestant().equals(entrant.name())) {
                        step("warming up " + cell);
                        if (time == 0 || !isOver(timing.budget().dividedBy(2))) {
                            entrant.warmUp(cell.measurement(), timing.warmUp());
                            reportFailure(entrant);
                        }
                    }
                }
            }
        }
    }

    private void round(int round, List<Cell> cells, Duration time) {
        boolean maySkip = cells == plan.otherCells();
        for (Cell cell : round % 2 == 0 ? cells.reversed() : cells) {
            if (maySkip && isOverBudget()) {
                return;
            }
            step("round " + round + ", " + cell);
            Entrant entrant = entrants.get(cell.contestant());
            if (entrant == null || !entrant.isIn()) {
                continue;
            }
            RunResult line = measure(probe, PROBE, timing.probe());
            RunResult result = measure(entrant, cell.measurement(), time);
            if (result != null) {
                records.add(cell, round, result, line == null ? Double.NaN : line.p50());
            }
        }
    }

    private RunResult measure(Entrant entrant, Measurement measurement, Duration time) {
        RunResult result = entrant.run(measurement, time).orElse(null);
        reportFailure(entrant);
        return result;
    }

    private void reportFailure(Entrant entrant) {
        String failure = entrant.takeFailure();
        if (!failure.isEmpty()) {
            progress.note(entrant.name() + ": " + failure + (entrant.isIn() ? "" : "; it takes no part any more"));
        }
    }

    private void step(String what) {
        progress.step(what, done++, steps());
    }

    /// Why a contestant has no results.
    public String absence(String name) {
        Entrant entrant = entrants.get(name);
        if (entrant == null) {
            return name + " is not part of this benchmark";
        }
        if (!entrant.isIn()) {
            return entrant.out();
        }
        return plan.cellsOf(name).isEmpty() ? Outcome.LEFT_OUT : name + " has no result of this measurement";
    }

    /// To be called after the rounds, while the contestants still run.
    public SystemCalls.Count countSystemCalls() {
        Goal free = Goals.FREE;
        if (!plan.goals().contains(free)) {
            return SystemCalls.Count.unknown(Outcome.LEFT_OUT);
        }
        Cell cell = free.pairs().getFirst().ours();
        Entrant entrant = entrants.get(Names.SHARED);
        if (records.of(cell).isEmpty() || !(entrant.contestant() instanceof PairContestant pair)) {
            return SystemCalls.Count.unknown(absence(Names.SHARED));
        }
        return SystemCalls.of(pair, cell.measurement());
    }

    @Override
    public void close() {
        entrants.values().forEach(Entrant::close);
        probe.close();
    }
}
