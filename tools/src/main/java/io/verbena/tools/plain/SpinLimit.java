package io.verbena.tools.plain;

import java.time.Duration;

/// A time limit for busy loops. Reads the clock only now and then, so that it costs the loop next to nothing.
public final class SpinLimit {
    private static final int CHECK_EVERY = 1 << 12;

    private final String what;
    private final long limitNs;
    private long startNs;
    private int spins;

    /// `what` completes the sentence "no progress for 10 s: ...".
    public SpinLimit(String what, Duration limit) {
        this.what = what;
        this.limitNs = limit.toNanos();
        restart();
    }

    public void restart() {
        startNs = System.nanoTime();
        spins = 0;
    }

    /// To be called in each empty turn of the loop.
    public void spin() {
        if ((++spins & CHECK_EVERY - 1) == 0) {
            long waitedNs = System.nanoTime() - startNs;
            if (waitedNs > limitNs) {
                throw new IllegalStateException("no progress for " + waitedNs / 1_000_000 + " ms: " + what);
            }
        }
    }
}
