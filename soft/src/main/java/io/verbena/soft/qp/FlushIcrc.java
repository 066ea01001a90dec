package io.verbena.soft.qp;

import io.verbena.roce.packet.Psn;

/// Which ICRC the peer expects of a FLUSH: that of the specification, or that of Linux's soft-RoCE, which covers the
/// headers twice. Each kind of peer drops the other kind of packet. Only an answer shows the kind of the peer, so until
/// then each retransmission of a FLUSH uses the other ICRC. Owned by the engine.
final class FlushIcrc {
    private static final int NONE = -1;

    private boolean twice;
    private boolean known;
    /// PSN of the FLUSH sent last, and of the newest FLUSH that may have been sent with both ICRCs.
    private int lastPsn = NONE;

    private int doubtfulPsn = NONE;

    /// To be called once for each FLUSH packet, in the order of sending.
    boolean countsTwice(int psn) {
        boolean goesBack = lastPsn != NONE && !Psn.isAfter(psn, lastPsn);
        if (goesBack && !known) {
            twice = !twice;
            doubtfulPsn = lastPsn;
        }
        lastPsn = psn;
        return twice;
    }

    /// Only the answer to a FLUSH that was sent with one ICRC shows which one the peer expects.
    void onAnswered(int psn) {
        known |= doubtfulPsn == NONE || Psn.isAfter(psn, doubtfulPsn);
    }
}
