package io.verbena.soft.qp;

import io.verbena.roce.packet.Psn;

/// How many READs, atomics, ATOMIC_WRITEs and FLUSHes are out, against how many the peer serves at a time
/// (rule ORD-4). Each is kept by the last PSN of its answer. Owned by the engine.
final class ReadCredits {
    private int[] lastPsns = {};
    private int head;
    private int count;

    void reset(int credits) {
        if (lastPsns.length != credits) {
            lastPsns = new int[credits];
        }
        head = 0;
        count = 0;
    }

    boolean isAvailable() {
        return count < lastPsns.length;
    }

    void take(int lastPsn) {
        lastPsns[(head + count++) % lastPsns.length] = lastPsn;
    }

    /// Gives back those whose answer lies wholly before `psn`.
    void release(int psn) {
        while (count > 0 && Psn.isBefore(lastPsns[head], psn)) {
            head = (head + 1) % lastPsns.length;
            count--;
        }
    }
}
