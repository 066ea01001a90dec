package io.verbena.soft.qp;

import io.verbena.soft.cq.SoftCompletionQueue;
import io.verbena.verbs.attr.CompletionOpcode;
import io.verbena.verbs.attr.CompletionStatus;

/// Reports the requests of a queue pair to its completion queues, each once, and takes them off their own queues.
/// Owned by the engine.
final class Completions {
    private final SoftQueuePair qp;
    private final SendQueue sends;
    private final ReceiveInHand receive;
    private final SoftCompletionQueue sendCq;
    private final SoftCompletionQueue receiveCq;
    private final boolean signalsAll;
    private final Runnable onLost;

    /// @param onLost called when a completion queue is full
    Completions(SoftQueuePair qp, SendQueue sends, ReceiveInHand receive, boolean signalsAll, Runnable onLost) {
        this.qp = qp;
        this.sends = sends;
        this.receive = receive;
        this.sendCq = qp.sendCq();
        this.receiveCq = qp.receiveCq();
        this.signalsAll = signalsAll;
        this.onLost = onLost;
    }

    /// Whether a request with these flags is reported when it succeeds.
    boolean wants(int flags) {
        return signalsAll || (flags & SendQueue.SIGNALED) != 0;
    }

    /// The oldest send request is done: it is reported if it asked for that (rule CQ-1).
    void succeed() {
        if (signalsAll || sends.has(sends.head(), SendQueue.SIGNALED)) {
            end(CompletionStatus.SUCCESS);
        } else {
            sends.retire();
        }
    }

    /// The oldest send request ends with that status, which is reported in any case.
    void end(CompletionStatus status) {
        report(sends.head(), status);
        sends.retire();
    }

    /// Reports the oldest send request; the caller retires it.
    void report(long position, CompletionStatus status) {
        sends.onReported();
        boolean kept = sendCq.complete(
                sends,
                sends.wrId(position),
                status,
                sends.operation(position).completion(),
                qp.number(),
                sends.length(position),
                false,
                0,
                false);
        if (!kept) {
            sends.onLost();
            onLost.run();
        }
    }

    /// The receive in hand has its message.
    void receive(CompletionOpcode opcode, long bytes, boolean hasImmediate, int immediate, boolean solicited) {
        long wrId = reported();
        checkKept(receiveCq.complete(
                receive.source(),
                wrId,
                CompletionStatus.SUCCESS,
                opcode,
                qp.number(),
                bytes,
                hasImmediate,
                immediate,
                solicited));
    }

    /// The receive in hand ends without one.
    void failReceive(CompletionStatus status) {
        long wrId = reported();
        checkKept(receiveCq.complete(
                receive.source(), wrId, status, CompletionOpcode.RECEIVE, qp.number(), 0, false, 0, false));
    }

    /// As [#receive], for a SEND that revoked a key.
    void receiveInvalidating(long bytes, int rkey, boolean solicited) {
        long wrId = reported();
        checkKept(receiveCq.completeInvalidating(receive.source(), wrId, qp.number(), bytes, rkey, solicited));
    }

    /// As [#receive], for a datagram.
    void receiveDatagram(long bytes, boolean hasImmediate, int immediate, boolean solicited, int sourceQp) {
        long wrId = reported();
        checkKept(receiveCq.completeDatagram(
                receive.source(), wrId, qp.number(), sourceQp, bytes, hasImmediate, immediate, solicited));
    }

    /// Takes the receive out of the hand before its completion can be seen; its number.
    private long reported() {
        long wrId = receive.wrId();
        receive.onReported();
        return wrId;
    }

    private void checkKept(boolean kept) {
        if (!kept) {
            receive.onLost();
            onLost.run();
        }
    }
}
