package io.verbena.soft.qp;

import io.verbena.roce.packet.Header;
import io.verbena.roce.packet.Opcode;
import io.verbena.soft.cq.CompletionView;
import io.verbena.soft.cq.SoftCompletionQueue;
import io.verbena.soft.engine.PacketView;
import io.verbena.soft.event.SoftEvents;
import io.verbena.verbs.attr.CompletionOpcode;
import io.verbena.verbs.attr.CompletionStatus;

/// Completes the requests of a queue pair, each once, and retires them. Owned by the engine.
final class Completions {
    private final SoftQueuePair qp;
    private final SendQueue sends;
    private final CurrentReceive receive;
    private final SoftCompletionQueue sendCq;
    private final SoftCompletionQueue receiveCq;
    private final boolean signalsAll;
    private final Runnable onLost;
    private final CompletionView view = new CompletionView();

    /// @param onLost called when a completion queue is full
    Completions(SoftQueuePair qp, SendQueue sends, CurrentReceive receive, boolean signalsAll, Runnable onLost) {
        this.qp = qp;
        this.sends = sends;
        this.receive = receive;
        this.sendCq = qp.sendCq();
        this.receiveCq = qp.receiveCq();
        this.signalsAll = signalsAll;
        this.onLost = onLost;
    }

    /// Whether a request with these flags gets a completion when it succeeds.
    boolean wants(int flags) {
        return signalsAll || (flags & SendQueue.SIGNALED) != 0;
    }

    /// The oldest send request succeeded. It gets a completion if it asked for one (rule CQ-1).
    void succeed() {
        if (signalsAll || sends.has(sends.head(), SendQueue.SIGNALED)) {
            report(sends.head(), CompletionStatus.SUCCESS);
            sends.retire();
        } else {
            sends.retire();
        }
    }

    /// The oldest send request fails with that status, and always gets a completion.
    void fail(CompletionStatus status) {
        long position = sends.head();
        SoftEvents.errorCompletion(
                qp.service(), sends.wrId(position), sends.operation(position).name(), sends.length(position), status);
        report(position, status);
        sends.retire();
    }

    /// The oldest send request is flushed.
    void flushSend() {
        report(sends.head(), CompletionStatus.WORK_REQUEST_FLUSHED);
        sends.retire();
    }

    /// Completes the oldest send request; the caller retires it.
    void report(long position, CompletionStatus status) {
        sends.onReported();
        view.set(
                sends.wrId(position),
                status,
                sends.operation(position).completion(),
                qp.number(),
                sends.length(position));
        if (!sendCq.queue(sends, view)) {
            sends.onLost();
            onLost.run();
        }
    }

    /// The current receive is complete with this last packet of its message.
    void receive(PacketView packet, long bytes) {
        Opcode last = packet.opcode();
        int flags = packet.solicited() ? CompletionView.SOLICITED : 0;
        int immediate = 0;
        int sourceQp = 0;
        if (last.hasImmediate()) {
            flags |= CompletionView.IMMEDIATE;
            immediate = packet.immediate();
        } else if (last.has(Header.IETH)) {
            flags |= CompletionView.INVALIDATED;
            immediate = packet.invalidatedKey();
        }
        if (last.has(Header.DETH)) {
            flags |= CompletionView.GRH;
            sourceQp = packet.sourceQp();
        }
        CompletionOpcode opcode =
                last.isWrite() ? CompletionOpcode.RECEIVE_RDMA_WITH_IMMEDIATE : CompletionOpcode.RECEIVE;
        view.set(receive.wrId(), CompletionStatus.SUCCESS, opcode, flags, qp.number(), sourceQp, bytes, immediate);
        reportReceive();
    }

    /// The current receive fails.
    void failReceive(CompletionStatus status) {
        SoftEvents.errorCompletion(qp.service(), receive.wrId(), CompletionOpcode.RECEIVE.name(), 0, status);
        endReceive(status);
    }

    /// The current receive is flushed.
    void flushReceive() {
        endReceive(CompletionStatus.WORK_REQUEST_FLUSHED);
    }

    /// The current receive ends without a message.
    private void endReceive(CompletionStatus status) {
        view.set(receive.wrId(), status, CompletionOpcode.RECEIVE, qp.number(), 0);
        reportReceive();
    }

    private void reportReceive() {
        // Released before the program can see its completion.
        receive.onReported();
        if (!receiveCq.queue(receive.source(), view)) {
            receive.onLost();
            onLost.run();
        }
    }
}
