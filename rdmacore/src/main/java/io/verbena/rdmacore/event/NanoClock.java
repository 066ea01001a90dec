package io.verbena.rdmacore.event;

import java.time.Duration;

/// The time that waiting goes by.
public final class NanoClock {
    private static final Duration FOR_EVER = Duration.ofDays(365);

    private NanoClock() {}

    public static long nowNs() {
        return System.nanoTime();
    }

    /// Nanoseconds of a duration; one that is too long for a long is as good as for ever.
    public static long nanoseconds(Duration timeout) {
        return timeout.compareTo(FOR_EVER) > 0 ? FOR_EVER.toNanos() : timeout.toNanos();
    }
}
