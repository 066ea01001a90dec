package io.verbena.soft.stress;

import java.util.Random;

/// Repeats a race, each time with another seed. `-Dverbena.stress.seconds=600` goes on for that long,
/// `-Dverbena.test.seed=N` starts at the seed that a failure names; threads still take their own time, so it
/// may need several rounds to show again.
final class StressLoop {
    private static final Integer SECONDS = Integer.getInteger("verbena.stress.seconds");
    private static final Long SEED = Long.getLong("verbena.test.seed");

    interface Race {
        void run(Random random, String name) throws Exception;
    }

    private StressLoop() {}

    static void run(int rounds, Race race) throws Exception {
        long first = SEED != null ? SEED : SECONDS == null ? 1 : System.nanoTime();
        long startNs = System.nanoTime();
        long done = 0;
        while (SECONDS == null ? done < rounds : System.nanoTime() - startNs < SECONDS * 1_000_000_000L) {
            long seed = first + done++;
            try {
                race.run(new Random(seed), "seed " + seed);
            } catch (Exception | Error e) {
                throw new AssertionError("seed " + seed + " (repeat with -Dverbena.test.seed=" + seed + ")", e);
            }
        }
    }
}
