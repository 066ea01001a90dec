package io.verbena.tools.perf;

import io.verbena.tools.program.ProgramException;
import java.time.Duration;

/// Looks up now and then while a loop finds nothing to do: has the peer left, is it done, was the program
/// stopped, or has nothing happened for too long? The loop pays one counter for it.
final class Watch {
    // C programs spin, and so do we; but a peer that shares the processor gets it after a while
    private static final int YIELD_AFTER = 1 << 8;
    private static final int LOOK_EVERY = 1 << 10;

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
    Watch(PeerChannel channel, Duration patience, String unreliable) {
        this.channel = channel;
        this.patience = patience;
        this.unreliable = unreliable;
    }

    /// Something was there.
    void progress() {
        empty = 0;
        fresh = true;
    }

    /// Nothing was there; true when it is time to look at more than the queues.
    boolean idle() {
        if (++empty > YIELD_AFTER) {
            Thread.yield();
        } else {
            Thread.onSpinWait();
        }
        if ((++spins & LOOK_EVERY - 1) != 0) {
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

    /// Throws when the program was stopped, or the peer is gone. What arrived before it left may not have been
    /// seen yet: so the second look counts.
    void look() {
        requireRunning();
        if (channel.isGone() && !channel.hasSpoken()) {
            if (goneBefore) {
                throw channel.leftWhileMeasuring();
            }
            goneBefore = true;
        }
    }

    private static void requireRunning() {
        if (Thread.interrupted()) {
            throw new StoppedException();
        }
    }

    /// Whether the peer has ended a run by time: it asks for the next step, or, as `ib_write_lat` does, just
    /// leaves.
    boolean isPeerDone() {
        requireRunning();
        return channel.hasSpoken() || channel.isGone();
    }

    /// After a request failed: the peer's leaving explains it better than the status does, and is known a
    /// moment later.
    void explainFailure() {
        long start = System.nanoTime();
        while (System.nanoTime() - start < Duration.ofSeconds(1).toNanos()) {
            look();
            Thread.onSpinWait();
        }
    }
}
