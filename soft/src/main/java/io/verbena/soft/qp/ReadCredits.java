package io.verbena.soft.qp;

import io.verbena.roce.packet.Psn;

/// The credits for READs, atomics, ATOMIC_WRITEs and FLUSHes: how many may be in flight at a time (rule ORD-4). Each is
/// kept as the last PSN of its response. Owned by the engine.
final class ReadCredits {
    private int credits;
    /// A ring, made when the first credit is taken: most connections never send a READ.
    private int[] lastPsns = {};

    private int head;
    private int count;

    void reset(int granted) {
        credits = granted;
        head = 0;
        count = 0;
    }

    boolean isAvailable() {
        return count < credits;
    }

    void take(int lastPsn) {
        if (lastPsns.length != credits) { // none is taken: their number changes only in reset
            lastPsns = new int[credits];
        }
        lastPsns[(head + count++) % lastPsns.length] = lastPsn;
    }

    /// Returns the credits of requests whose response ends before `psn`.
    void release(int psn) {
        while (count > 0 && Psn.isBefore(lastPsns[head], psn)) {
            head = (head + 1) % lastPsns.length;
            count--;
        }
    }
}
