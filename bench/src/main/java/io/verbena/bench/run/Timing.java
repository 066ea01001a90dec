package io.verbena.bench.run;

import java.time.Duration;

/// The durations of a run.
///
/// - `goal`, `other`: one run of a cell that a goal needs, and of any other cell
/// - `warmUp`: for each cell
/// - `probe`: the cache-line round trip before each run
/// - `otherRounds`: rounds of cells that no goal needs; they come last, and are skipped after `budget`
/// - `limit`: no round begins after this time, not even one that the goals need
public record Timing(
        int rounds,
        int otherRounds,
        Duration goal,
        Duration other,
        Duration warmUp,
        Duration probe,
        Duration budget,
        Duration limit) {
    /// The fewest rounds whose median is judged.
    public static final int ROUNDS = 7;

    private static final int QUICK_OTHER_ROUNDS = 2;

    public static Timing quick(int rounds) {
        return new Timing(
                rounds,
                Math.min(rounds, QUICK_OTHER_ROUNDS),
                Duration.ofMillis(150),
                Duration.ofMillis(60),
                Duration.ofMillis(150),
                Duration.ofMillis(10),
                Duration.ofSeconds(100),
                Duration.ofSeconds(150));
    }

    public static Timing full(int rounds) {
        return new Timing(
                rounds,
                rounds,
                Duration.ofMillis(400),
                Duration.ofMillis(200),
                Duration.ofMillis(400),
                Duration.ofMillis(30),
                Duration.ofHours(1),
                Duration.ofHours(2));
    }
}
