package io.verbena.tools.plain;

import java.time.Duration;

/// A time limit for busy loops. It reads the clock only now and then, and not at all when the answer comes soon, so
/// that it costs the loop next to nothing.
///
/// After many empty turns it yields the processor: on a busy machine the peer may be waiting for it, and spinning on
/// would cost a whole time slice.
public final class SpinLimit {
    private static final int CHECK_EVERY = 1 << 10;
    // about 100 microseconds of system calls that find nothing: far longer than an answer takes on an idle machine
    private static final int YIELD_AFTER = 256;

    private final String what;
    private final long limitNs;
    private long startNs;
    private int spins;

    /// `what` completes the sentence "no progress for 10 s: ...".
    public SpinLimit(String what, Duration limit) {
        this.what = what;
        this.limitNs = limit.toNanos();
    }

    public void restart() {
        spins = 0;
    }

    /// To be called in each empty turn of the loop.
    public void spin() {
        if (++spins > YIELD_AFTER) {
            Thread.yield();
        }
        if ((spins & CHECK_EVERY - 1) == 0) {
            long nowNs = System.nanoTime();
            startNs = spins == CHECK_EVERY ? nowNs : startNs;
            long waitedNs = nowNs - startNs;
            if (waitedNs > limitNs) {
                throw new IllegalStateException("no progress for " + waitedNs / 1_000_000 + " ms: " + what);
            }
        }
    }
}
