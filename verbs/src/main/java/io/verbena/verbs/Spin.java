package io.verbena.verbs;

import java.util.concurrent.locks.LockSupport;

/// The pause of a spinning thread between two polls.
final class Spin {
    /// How often a virtual thread yields before it sleeps, which frees its carrier.
    private static final int YIELDS = 64;

    private Spin() {}

    /// A virtual thread may wait for another virtual thread, which needs the carrier. Yielding alone is not enough:
    /// carriers prefer threads that yielded to threads that have not started yet.
    static void pause(int times) {
        if (!Thread.currentThread().isVirtual()) {
            Thread.onSpinWait();
        } else if (times % YIELDS != 0) {
            Thread.yield();
        } else {
            LockSupport.parkNanos(1);
        }
    }
}
