package io.verbena.soft.qp;

import io.verbena.roce.packet.RoceConstants;
import io.verbena.verbs.ReceiveRequest;
import io.verbena.verbs.SendRequest;
import io.verbena.verbs.UnsupportedVerbException;
import io.verbena.verbs.attr.Operation;
import io.verbena.verbs.attr.QueuePairCapabilities;
import io.verbena.verbs.attr.QueuePairState;
import io.verbena.verbs.attr.QueuePairType;

/// Refuses requests that can only be mistakes, before they are queued, and says why.
final class PostCheck {
    private final SoftQueuePair qp;
    private final QueuePairCapabilities capabilities;
    /// By operation: whether the type and the device allow it.
    private final boolean[] usable = new boolean[Operation.values().length];

    PostCheck(SoftQueuePair qp) {
        this.qp = qp;
        this.capabilities = qp.capabilities();
        for (Operation operation : Operation.values()) {
            usable[operation.ordinal()] =
                    operation.legalOn(qp.type()) && qp.service().supports(operation);
        }
    }

    private RuntimeException unusable(Operation operation, int index) {
        return operation.legalOn(qp.type())
                ? new UnsupportedVerbException(
                        qp.protectionDomain().context().device().name(), "post " + operation)
                : qp.refused(
                        "post send to", index, operation + " cannot be asked of a queue pair of type " + qp.type());
    }

    SoftSendRequest send(SendRequest request, int index) {
        if (qp.isClosed()) {
            throw qp.closed("post send to", index);
        }
        if (!(request instanceof SoftSendRequest send)) {
            throw qp.refused("post send to", index, foreign(request));
        }
        QueuePairState state = qp.state();
        if (state.code() < QueuePairState.RTS.code()) {
            throw qp.refused("post send to", index, "the queue pair is in " + state + "; sends are taken from RTS on");
        }
        Operation operation = send.operation;
        if (operation == null) {
            throw qp.refused("post send to", index, "name an operation first: send, write, read or another");
        }
        if (!usable[operation.ordinal()]) {
            throw unusable(operation, index);
        }
        if (operation == Operation.BIND_MEMORY_WINDOW) {
            String obstacle = BindCheck.obstacle(qp, send);
            if (obstacle != null) {
                throw qp.refused("post send to", index, obstacle);
            }
        }
        if (send.buffers.count() > capabilities.maxSendScatterGather()) {
            throw qp.refused(
                    "post send to",
                    index,
                    send.buffers.count() + " buffers, the queue pair takes " + capabilities.maxSendScatterGather()
                            + "; ask for more with scatterGather when making it");
        }
        if ((send.flags & SendQueue.INLINE) != 0) {
            inline(send, index);
        }
        switch (operation) {
            case COMPARE_AND_SWAP, FETCH_AND_ADD, ATOMIC_WRITE -> word(send, index);
            case FLUSH -> flush(send, index);
            default -> {}
        }
        if (qp.type() == QueuePairType.UD) {
            destination(send, index);
        }
        return send;
    }

    /// What is wrong with a request that this provider did not make.
    static String foreign(Object request) {
        return request == null ? "the request is null" : "the request was made by a queue of another provider";
    }

    /// Atomics bring eight bytes, ATOMIC_WRITE takes eight; on both sides of the wire nothing else is one.
    private void word(SoftSendRequest send, int index) {
        long bytes = send.buffers.totalBytes();
        boolean takes = send.operation == Operation.ATOMIC_WRITE;
        if (takes ? bytes != Long.BYTES : bytes < Long.BYTES) {
            throw qp.refused(
                    "post send to",
                    index,
                    send.operation + " with buffers of " + bytes + " bytes; give " + (takes ? "" : "at least ") + "8");
        }
        if ((send.remoteAddress & Long.BYTES - 1) != 0) {
            throw qp.refused(
                    "post send to",
                    index,
                    "%s at the remote address 0x%x; it must be a multiple of 8"
                            .formatted(send.operation, send.remoteAddress));
        }
    }

    private void flush(SoftSendRequest send, int index) {
        if ((send.secondOperand & ~SoftSendRequest.WHOLE_REGION) == 0) {
            throw qp.refused(
                    "post send to", index, "FLUSH without a type; give GLOBAL_VISIBILITY, PERSISTENCE or both");
        }
        if (send.operand < 0 || send.operand > RoceConstants.MAX_MESSAGE_BYTES) {
            throw qp.refused(
                    "post send to",
                    index,
                    "FLUSH of " + send.operand
                            + " bytes; a range has at most 2^31, flushRegion takes the whole region");
        }
    }

    private void destination(SoftSendRequest send, int index) {
        if (!(send.handle instanceof SoftAddressHandle handle)) {
            throw qp.refused(
                    "post send to",
                    index,
                    send.handle == null
                            ? "a datagram needs an address handle; name one with to"
                            : "the address handle is of another provider");
        }
        if (handle.isClosed()) {
            throw qp.refused("post send to", index, handle + " is closed");
        }
        if (handle.protectionDomain() != qp.protectionDomain()) {
            throw qp.refused(
                    "post send to",
                    index,
                    handle + " is of another protection domain; make one from that of the queue pair");
        }
        if (send.destinationQp() >>> 24 != 0) {
            throw qp.refused(
                    "post send to",
                    index,
                    "the destination is queue pair 0x%x; numbers have 24 bits".formatted(send.destinationQp()));
        }
        send.aimAt(handle);
    }

    private void inline(SoftSendRequest send, int index) {
        if (!send.operation.mayBeInline()) {
            throw qp.refused("post send to", index, send.operation + " cannot be inline; only SEND and WRITE can");
        }
        if (send.buffers.totalBytes() > capabilities.maxInlineBytes()) {
            throw qp.refused(
                    "post send to",
                    index,
                    send.buffers.totalBytes() + " inline bytes, the queue pair takes " + capabilities.maxInlineBytes()
                            + "; ask for more with inlineBytes when making it");
        }
        if (!send.buffers.isReadable()) {
            throw qp.refused(
                    "post send to",
                    index,
                    "inline bytes cannot be read from a raw address; give them with from or fromInline");
        }
    }

    SoftReceiveRequest receive(ReceiveRequest request, int index) {
        if (qp.isClosed()) {
            throw qp.closed("post receive to", index);
        }
        if (!(request instanceof SoftReceiveRequest receive)) {
            throw qp.refused("post receive to", index, foreign(request));
        }
        if (qp.sharesReceives()) {
            throw qp.refused(
                    "post receive to",
                    index,
                    "the queue pair takes its receives from a shared receive queue; post them there");
        }
        if (qp.state() == QueuePairState.RESET) {
            throw qp.refused("post receive to", index, "the queue pair is in RESET; receives are taken from INIT on");
        }
        if (receive.buffers.count() > capabilities.maxReceiveScatterGather()) {
            throw qp.refused(
                    "post receive to",
                    index,
                    receive.buffers.count() + " buffers, the queue pair takes " + capabilities.maxReceiveScatterGather()
                            + "; ask for more with scatterGather when making it");
        }
        return receive;
    }
}
