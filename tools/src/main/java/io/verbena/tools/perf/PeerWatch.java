package io.verbena.tools.perf;

import io.verbena.tools.program.ProgramException;
import io.verbena.tools.program.Result;
import java.time.Duration;

/// Checks now and then, while a loop finds no completions: is the peer gone or done, was the program stopped, has
/// nothing happened for too long? Between checks it costs the loop one counter.
final class PeerWatch {
    // C programs spin, and so do we. After a while the processor is yielded: the peer may need it.
    private static final int YIELD_AFTER = 1 << 8;
    private static final int CHECK_EVERY = 1 << 10;

    private final PeerChannel channel;
    private final Duration patience;
    private final String unreliable;
    private int spins;
    private int empty;
    private boolean fresh = true;
    private boolean goneBefore;
    private long emptySinceNs;

    /// @param patience how long nothing may happen; zero: for ever
    /// @param unreliable what to add when messages may be lost, else nothing
    PeerWatch(PeerChannel channel, Duration patience, String unreliable) {
        this.channel = channel;
        this.patience = patience;
        this.unreliable = unreliable;
    }

    /// A poll found completions.
    void progress() {
        empty = 0;
        fresh = true;
    }

    /// A poll found nothing. True when it is time to check the peer and the clock.
    boolean idle() {
        if (++empty > YIELD_AFTER) {
            Thread.yield();
        } else {
            Thread.onSpinWait();
        }
        if ((++spins & CHECK_EVERY - 1) != 0) {
            return false;
        }
        requireInTime();
        return true;
    }

    /// Throws when nothing has happened for too long.
    void requireInTime() {
        long now = System.nanoTime();
        if (fresh) {
            emptySinceNs = now;
            fresh = false;
        }
        if (!patience.isZero() && now - emptySinceNs > patience.toNanos()) {
            throw new ProgramException("nothing arrived for " + patience.toSeconds() + " s: the peer hangs or cannot be"
                    + " reached" + unreliable + "; --timeout sets how long to wait");
        }
    }

    /// Throws when the program was stopped, or the peer is gone. Messages that arrived before it left may not have been
    /// polled yet, so only the second check throws.
    void checkPeer() {
        requireRunning();
        if (channel.isGone() && !channel.hasMessage()) {
            if (goneBefore) {
                throw channel.leftWhileMeasuring();
            }
            goneBefore = true;
        }
    }

    private static void requireRunning() {
        if (Thread.interrupted()) {
            throw Result.interrupt("measure");
        }
    }

    /// Whether the peer has ended a timed run: it has sent its next message, or it has left, as `ib_write_lat` does.
    boolean isPeerDone() {
        requireRunning();
        return channel.hasMessage() || channel.isGone();
    }

    /// To be called after a request failed. That the peer left explains a failure better than its status does, and may
    /// become known a moment later.
    void explainFailure() {
        long start = System.nanoTime();
        while (System.nanoTime() - start < Duration.ofSeconds(1).toNanos()) {
            checkPeer();
            Thread.onSpinWait();
        }
    }
}
