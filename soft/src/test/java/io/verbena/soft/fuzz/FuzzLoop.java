package io.verbena.soft.fuzz;

import io.verbena.soft.os.NanoClock;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;

/// Feeds a fuzz target with inputs, each made from a seed of its own. By default a fixed number from a fixed
/// seed, the same in every run. `-Dverbena.fuzz.seconds=600` goes on for that long from a new seed, and
/// `-Dverbena.test.seed=N` starts at the seed that a failure names.
///
/// The targets are plain methods `fuzzerTestOneInput(byte[])`, which Jazzer takes as they are.
final class FuzzLoop {
    private static final Integer SECONDS = Integer.getInteger("verbena.fuzz.seconds");
    private static final Long SEED = Long.getLong("verbena.test.seed");
    private static final int LONGEST_PRINTED = 4096;
    private static final NanoClock CLOCK = NanoClock.SYSTEM;

    interface Target {
        void fuzz(byte[] input) throws Exception;
    }

    /// Makes an input from chance.
    interface Source {
        byte[] next(Random random);
    }

    private FuzzLoop() {}

    static void run(String name, int inputs, Source source, Target target) {
        long first = SEED != null ? SEED : SECONDS == null ? 1 : CLOCK.nowNs();
        long startNs = CLOCK.nowNs();
        long budgetNs = SECONDS == null ? Long.MAX_VALUE : SECONDS * 1_000_000_000L;
        long most = SECONDS == null ? inputs : Long.MAX_VALUE;
        long done = 0;
        while (done < most && CLOCK.nowNs() - startNs < budgetNs) {
            once(name, first + done, source, target);
            done++;
        }
        System.out.printf("fuzz %s: %d inputs from seed %d, no defect%n", name, done, first);
    }

    private static void once(String name, long seed, Source source, Target target) {
        byte[] input = source.next(new Random(seed));
        try {
            target.fuzz(input);
        } catch (Throwable e) {
            byte[] shown = Arrays.copyOf(input, Math.min(input.length, LONGEST_PRINTED));
            throw new AssertionError(
                    "%s fails with seed %d (repeat with -Dverbena.test.seed=%d), input %s"
                            .formatted(name, seed, seed, HexFormat.of().formatHex(shown)),
                    e);
        }
    }

    /// Nothing but chance.
    static Source bytes(int longest) {
        return random -> {
            byte[] input = new byte[random.nextInt(longest + 1)];
            random.nextBytes(input);
            return input;
        };
    }

    /// Good inputs with something wrong.
    static Source mutations(List<byte[]> corpus) {
        return random -> Mutation.of(corpus, random);
    }
}
