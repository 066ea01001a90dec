package io.verbena.bench.soak;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/// The end of a wait, with a text that says who waited for what.
final class Deadline {
    private static final long PAUSE_NS = 200_000;

    private final Supplier<String> what;
    private final Duration limit;
    private final long startNs = System.nanoTime();

    Deadline(Duration limit, Supplier<String> what) {
        this.limit = limit;
        this.what = what;
    }

    Deadline(Duration limit, String what) {
        this(limit, () -> what);
    }

    Duration elapsed() {
        return Duration.ofNanos(System.nanoTime() - startNs);
    }

    void check() {
        if (elapsed().compareTo(limit) > 0) {
            throw new SoakFailure("waited %.1f s in vain: %s".formatted(limit.toMillis() / 1e3, what.get()));
        }
    }

    /// Waits until `ready` returns true, and returns how long it took. `ready` does the necessary work, such as
    /// polling.
    Duration await(BooleanSupplier ready) {
        while (!ready.getAsBoolean()) {
            check();
            LockSupport.parkNanos(PAUSE_NS);
        }
        return elapsed();
    }
}
