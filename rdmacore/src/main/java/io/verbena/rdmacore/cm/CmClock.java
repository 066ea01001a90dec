package io.verbena.rdmacore.cm;

import java.time.Duration;

/// The time that deadlines go by.
final class CmClock {
    private static final Duration FOR_EVER = Duration.ofDays(365);

    private CmClock() {}

    static long nowNs() {
        return System.nanoTime();
    }

    /// Nanoseconds of a duration; one that is too long for a long is as good as for ever.
    static long nanoseconds(Duration timeout) {
        return timeout.compareTo(FOR_EVER) > 0 ? FOR_EVER.toNanos() : timeout.toNanos();
    }
}
