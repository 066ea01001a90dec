package io.verbena.soft.local;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.soft.rig.ConnectionEnd;

/// Connects two ends until both have attached to the peer's lane. From then on requests are sent by the call that posts
/// them.
final class OpenPair {
    /// Enough polls for all messages in flight to arrive.
    private static final int MANY = 1000;

    private OpenPair() {}

    static SharedPair open() {
        SharedPair pair = new SharedPair(SharedPair.PATIENT);
        exchange(pair, pair.left, pair.right);
        exchange(pair, pair.right, pair.left);
        return pair;
    }

    static void exchange(SharedPair pair, ConnectionEnd from, ConnectionEnd to) {
        to.receive(0, 0, 8);
        from.send(0, 0, 8);
        assertTrue(pair.driveUntil(() -> from.completions.size() == 1 && to.completions.size() == 1), pair::state);
        from.completions.clear();
        to.completions.clear();
    }

    static void pollOften(SharedPair pair) {
        for (int i = 0; i < MANY; i++) {
            pair.left.poll();
            pair.right.poll();
        }
    }
}
