package io.verbena.soft.qp;

import io.verbena.roce.packet.Psn;

/// Which ICRC the peer wants of a FLUSH: that of the specification, or that of Linux's soft-RoCE, which counts the
/// headers twice and drops any other. Nothing else tells the two apart, so until one was answered, a FLUSH that must
/// be sent again is sent the other way. Owned by the engine.
final class FlushIcrc {
    private static final int NONE = -1;

    private boolean twice;
    private boolean known;
    /// PSN of the FLUSH that left last, and of the newest one that may have left both ways.
    private int lastPsn = NONE;

    private int doubtfulPsn = NONE;

    /// To be asked once for each FLUSH that leaves, in the order they leave.
    boolean countsTwice(int psn) {
        boolean goesBack = lastPsn != NONE && !Psn.isAfter(psn, lastPsn);
        if (goesBack && !known) {
            twice = !twice;
            doubtfulPsn = lastPsn;
        }
        lastPsn = psn;
        return twice;
    }

    /// Only the answer to one that left one way tells which way it was.
    void onAnswered(int psn) {
        known |= doubtfulPsn == NONE || Psn.isAfter(psn, doubtfulPsn);
    }
}
