package io.verbena.rdmacore.cm;

/// The time that deadlines go by.
final class CmClock {
    private CmClock() {}

    static long nowNs() {
        return System.nanoTime();
    }
}
