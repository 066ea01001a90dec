package io.verbena.conformance.bench;

import static org.junit.jupiter.api.Assertions.fail;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/// Waits with a deadline: generous, because a busy machine must not fail a test, and by polling, not by sleeping.
public final class Deadline {
    /// System property: how many times slower than usual this machine may be.
    public static final String PATIENCE_PROPERTY = "verbena.patience";

    private static final int SLOWNESS = Math.max(1, Integer.getInteger(PATIENCE_PROPERTY, 1));

    /// How long anything that must happen may take.
    public static final Duration PATIENCE = Duration.ofSeconds(10L * SLOWNESS);

    private static final long PAUSE_NS = 20_000;
    private static final int SPINS = 1000;

    private Deadline() {}

    /// How often to repeat something on this machine that is repeated so often on a usual one.
    public static int rounds(int usual) {
        return Math.max(1, usual / SLOWNESS);
    }

    /// Returns when the condition holds, and fails the test when it does not in time.
    public static void await(String what, BooleanSupplier condition) {
        await(() -> what, condition);
    }

    public static void await(Supplier<String> what, BooleanSupplier condition) {
        long start = System.nanoTime();
        int looks = 0;
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - start > PATIENCE.toNanos()) {
                fail("within " + PATIENCE.toSeconds() + " s: " + what.get());
            }
            if (++looks < SPINS) {
                Thread.onSpinWait();
            } else {
                LockSupport.parkNanos(PAUSE_NS);
            }
        }
    }
}
