package io.verbena.bench.connections;

import io.verbena.bench.ours.Ours;
import io.verbena.bench.pair.PairContestant;
import io.verbena.bench.run.RunProgress;
import io.verbena.bench.side.Measurement;
import io.verbena.bench.side.Measurement.Operation;
import io.verbena.bench.side.RunResult;
import io.verbena.bench.side.Sample;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/// Measures all rounds with one pair of processes.
final class ConnectionsRun {
    private static final Measurement ROUND_TRIP =
            Measurement.roundTrip(Operation.SEND, 64).withRead();
    private static final Duration WARM_UP = Duration.ofMillis(100);
    private static final String KEEP_ALIVES = "keep-alives sent=";
    private static final int STEPS = 5;
    /// Longer than the limits of the processes, whose errors say more.
    private static final Duration SPARE = Duration.ofSeconds(20);

    private static final double NANOS = 1e9;

    private final int connections;
    private final Timing timing;
    private final int rounds;
    private final RunProgress progress;
    private final Duration limit;
    private int steps;

    /// - `messages`: of a run; a fixed number, because on a busy machine a run may be a hundred times as long as the
    ///   last
    /// - `runs`: how long to repeat runs in each phase
    /// - `rest`: while idle CPU time is measured; longer than the silence before keep-alives, so that the runs after it
    ///   are among keep-alives
    record Timing(long messages, Duration runs, Duration rest) {
        static final Timing FULL = new Timing(2000, Duration.ofSeconds(5), Duration.ofSeconds(20));
    }

    ConnectionsRun(int connections, int rounds, Timing timing, RunProgress progress) {
        this.connections = connections;
        this.rounds = rounds;
        this.timing = timing;
        this.progress = progress;
        this.limit = Ours.connectionsLimit(connections).plus(SPARE);
    }

    List<Round> measure() throws Exception {
        List<Round> measured = new ArrayList<>();
        try (PairContestant pair = Ours.connections()) {
            step("warm-up");
            pair.open();
            pair.warmUp(ROUND_TRIP, WARM_UP);
            pair.warmUp(ROUND_TRIP, WARM_UP);
            List<Sample> before = memory(pair);
            for (int n = 1; n <= rounds; n++) {
                measured.add(round(pair, n, before));
            }
        } finally {
            progress.end();
        }
        return measured;
    }

    private Round round(PairContestant pair, int n, List<Sample> before) throws Exception {
        step("round " + n + ": alone");
        Phase alone = phase(pair);
        step("round " + n + ": opening " + connections);
        double openSeconds = seconds(pair, "open " + connections);
        step("round " + n + ": memory");
        List<Sample> open = memory(pair);
        step("round " + n + ": beside " + connections);
        Phase beside = phase(pair);
        step("round " + n + ": closing " + connections);
        double closeSeconds = seconds(pair, "shut");
        List<Sample> after = memory(pair);
        return new Round(
                openSeconds,
                closeSeconds,
                Growth.of(before.getFirst(), open.getFirst(), after.getFirst(), connections),
                Growth.of(before.getLast(), open.getLast(), after.getLast(), connections),
                alone,
                beside);
    }

    private void step(String what) {
        progress.step(what, steps++, STEPS * rounds + 1);
    }

    private Phase phase(PairContestant pair) throws Exception {
        long keepAlives = keepAlives(pair);
        double cpuNs = pair
                .askBoth("rest " + timing.rest().toMillis(), timing.rest().plus(limit))
                .stream()
                .mapToLong(Long::parseLong)
                .sum();
        double seconds = timing.rest().toNanos() / NANOS;
        keepAlives = keepAlives(pair) - keepAlives;
        List<RunResult> runs = new ArrayList<>();
        long endNs = System.nanoTime() + timing.runs().toNanos();
        do {
            runs.add(pair.exchange(ROUND_TRIP, timing.messages()));
        } while (System.nanoTime() - endNs < 0);
        return new Phase(runs, cpuNs / NANOS / seconds, keepAlives / seconds);
    }

    /// The longer time of the two sides.
    private double seconds(PairContestant pair, String order) throws Exception {
        return pair.askBoth(order, limit).stream()
                        .mapToLong(Long::parseLong)
                        .max()
                        .orElseThrow()
                / NANOS;
    }

    private List<Sample> memory(PairContestant pair) throws Exception {
        return pair.askBoth("memory", limit).stream().map(Sample::decode).toList();
    }

    private static long keepAlives(PairContestant pair) throws Exception {
        return keepAlives(pair.ask(true, "counters")) + keepAlives(pair.ask(false, "counters"));
    }

    private static long keepAlives(String counters) {
        for (String one : counters.split(";")) {
            if (one.startsWith(KEEP_ALIVES)) {
                return Long.parseLong(one.substring(KEEP_ALIVES.length()));
            }
        }
        return 0;
    }
}
