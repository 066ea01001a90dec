package io.verbena.verbs;

import java.util.concurrent.locks.LockSupport;

/// What a spinning thread does between two looks.
final class Spin {
    /// How often a virtual thread yields before it lets go of its carrier.
    private static final int YIELDS = 64;

    private Spin() {}

    /// What a virtual thread waits for may be the work of another one, which needs the carrier. Yielding alone is not
    /// enough: carriers prefer those who yielded to those who have yet to start.
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
