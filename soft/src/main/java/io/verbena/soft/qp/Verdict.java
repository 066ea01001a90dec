package io.verbena.soft.qp;

import io.verbena.roce.packet.Syndrome;
import io.verbena.verbs.attr.CompletionStatus;

/// What the responder thinks of a request packet: the answer on the wire, the status of the receive that was in
/// use, and whether the queue pair lives on (IBTA responder error classes).
enum Verdict {
    OK(Syndrome.ACK, null, false),
    /// Older than expected: seen before.
    DUPLICATE(Syndrome.ACK, null, false),
    /// Newer than expected: a packet was lost. Class B.
    OUT_OF_SEQUENCE(Syndrome.NAK_PSN_SEQUENCE, null, false),
    /// No receive posted; the peer shall try again later.
    RECEIVER_NOT_READY(-1, null, false),
    /// Opcode out of order, operation not allowed by the queue pair, wrong length. Class C.
    INVALID_REQUEST(Syndrome.NAK_INVALID_REQUEST, CompletionStatus.WORK_REQUEST_FLUSHED, true),
    /// Longer than the posted receive. Class C for the peer, a length error here.
    RECEIVE_TOO_SHORT(Syndrome.NAK_INVALID_REQUEST, CompletionStatus.LOCAL_LENGTH_ERROR, true),
    /// Key, range or right does not allow it. Class C.
    REMOTE_ACCESS(Syndrome.NAK_REMOTE_ACCESS, CompletionStatus.WORK_REQUEST_FLUSHED, true),
    /// The receive's own buffers are not usable. Class E.
    RECEIVE_PROTECTION(Syndrome.NAK_REMOTE_OPERATION, CompletionStatus.LOCAL_PROTECTION_ERROR, true);

    private final int syndrome;
    private final CompletionStatus receiveStatus;
    private final boolean fatal;

    Verdict(int syndrome, CompletionStatus receiveStatus, boolean fatal) {
        this.syndrome = syndrome;
        this.receiveStatus = receiveStatus;
        this.fatal = fatal;
    }

    int syndrome() {
        return syndrome;
    }

    /// Status of a receive that the failed message had taken.
    CompletionStatus receiveStatus() {
        return receiveStatus;
    }

    boolean isFatal() {
        return fatal;
    }
}
