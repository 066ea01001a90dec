package io.verbena.rdmacore.cm;

/// The clock of deadlines.
final class CmClock {
    private CmClock() {}

    static long nowNs() {
        return System.nanoTime();
    }
}
