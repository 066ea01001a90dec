package io.verbena.soft.program;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.verbena.soft.fault.FaultPlan;
import io.verbena.soft.os.NanoClock;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

/// Random programs of several peers against a model of memory and completions, over links that lose, repeat,
/// reorder, damage and delay. `-Dverbena.program.seconds=600` goes on for that long with new seeds,
/// `-Dverbena.test.seed=N` starts at the seed that a failure names.
class ProgramTest {
    private static final Integer SECONDS = Integer.getInteger("verbena.program.seconds");
    private static final Long SEED = Long.getLong("verbena.test.seed");
    private static final int PROGRAMS = 24;
    private static final int REQUESTS = 60;

    private static FaultPlan faults(long seed) {
        double p = List.of(0.001, 0.01, 0.05).get(new Random(seed).nextInt(3));
        FaultPlan none = FaultPlan.none();
        return switch (Math.floorMod(seed, 6)) {
            case 0 -> none;
            case 1 -> none.withLoss(p);
            case 2 -> none.withDuplicate(p);
            case 3 -> none.withReorder(p);
            case 4 -> none.withCorrupt(p);
            default ->
                none.withLoss(0.01)
                        .withDuplicate(0.02)
                        .withReorder(0.02)
                        .withCorrupt(0.01)
                        .withDelay(Duration.ZERO, Duration.ofMillis(1));
        };
    }

    @Test
    void shouldAgreeWithTheModelWhateverPeersDoToEachOther() {
        long first = SEED != null ? SEED : SECONDS == null ? 1 : NanoClock.SYSTEM.nowNs();
        long startNs = NanoClock.SYSTEM.nowNs();
        long done = 0;
        Set<StepKind> covered = EnumSet.noneOf(StepKind.class);
        while (SECONDS == null ? done < PROGRAMS : NanoClock.SYSTEM.nowNs() - startNs < SECONDS * 1_000_000_000L) {
            long seed = first + done++;
            try {
                covered.addAll(Program.run(seed, faults(seed), REQUESTS));
            } catch (RuntimeException | Error e) {
                throw new AssertionError(
                        "seed %d, %s (repeat with -Dverbena.test.seed=%d)".formatted(seed, faults(seed), seed), e);
            }
        }
        System.out.printf("%d programs from seed %d agree with the model%n", done, first);
        assertEquals(EnumSet.allOf(StepKind.class), covered, "what the programs did");
    }
}
