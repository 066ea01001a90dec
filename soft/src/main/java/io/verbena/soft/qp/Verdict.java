package io.verbena.soft.qp;

import io.verbena.roce.packet.Syndrome;
import io.verbena.verbs.attr.CompletionStatus;

/// The result of a responder's checks: the syndrome for the peer, and the status of the current receive (IBTA responder
/// error classes).
enum Verdict {
    OK(Syndrome.ACK, null),
    /// Older than expected: a duplicate.
    DUPLICATE(Syndrome.ACK, null),
    /// Newer than expected: a packet was lost. Class B.
    OUT_OF_SEQUENCE(Syndrome.NAK_PSN_SEQUENCE, null),
    /// No receive posted; the peer must retry later.
    RECEIVER_NOT_READY(-1, null),
    /// A part of a long message is copied; the next turn continues.
    UNFINISHED(-1, null),
    /// Opcode out of order, operation not allowed by the queue pair, wrong length. Class C.
    INVALID_REQUEST(Syndrome.NAK_INVALID_REQUEST, CompletionStatus.WORK_REQUEST_FLUSHED),
    /// Longer than the posted receive. Class C for the peer, a length error here.
    RECEIVE_TOO_SHORT(Syndrome.NAK_INVALID_REQUEST, CompletionStatus.LOCAL_LENGTH_ERROR),
    /// Key, range or right does not allow it. Class C.
    REMOTE_ACCESS(Syndrome.NAK_REMOTE_ACCESS, CompletionStatus.WORK_REQUEST_FLUSHED),
    /// The operation failed on this side, for example writing data to its file. Class C.
    OPERATION_FAILED(Syndrome.NAK_REMOTE_OPERATION, CompletionStatus.WORK_REQUEST_FLUSHED),
    /// A SEND names a key to revoke that does not exist, or that is not of a revocable window. The receive fails and
    /// with it the connection; the peer gets no NAK (rule INV-2). Class J.
    KEY_NOT_REVOCABLE(-1, CompletionStatus.REMOTE_INVALID_REQUEST),
    /// The receive's own buffers are not usable. Class E.
    RECEIVE_PROTECTION(Syndrome.NAK_REMOTE_OPERATION, CompletionStatus.LOCAL_PROTECTION_ERROR);

    private final int syndrome;
    private final CompletionStatus receiveStatus;

    Verdict(int syndrome, CompletionStatus receiveStatus) {
        this.syndrome = syndrome;
        this.receiveStatus = receiveStatus;
    }

    int syndrome() {
        return syndrome;
    }

    /// Why the queue pair that gives this verdict goes to the error state.
    String cause() {
        return "a request of the peer was refused: " + name();
    }

    /// The status of the receive of the failed message.
    CompletionStatus receiveStatus() {
        return receiveStatus;
    }
}
