package io.verbena.soft.shard;

import java.util.concurrent.locks.LockSupport;

/// Waits a moment, also in a thread that was interrupted: what is waited for here has a deadline of its own.
final class Pause {
    private Pause() {}

    static void of(long pauseNs) {
        boolean interrupted = Thread.interrupted();
        LockSupport.parkNanos(pauseNs);
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
