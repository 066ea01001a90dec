package io.verbena.tools.trace;

import java.time.Instant;

/// Nanoseconds since 1970 that never go backwards: the system's clock is read once.
final class TraceClock {
    private final long startNs;
    private final long startedAt = System.nanoTime();

    TraceClock() {
        Instant now = Instant.now();
        startNs = now.getEpochSecond() * 1_000_000_000 + now.getNano();
    }

    long nowNs() {
        return startNs + System.nanoTime() - startedAt;
    }
}
