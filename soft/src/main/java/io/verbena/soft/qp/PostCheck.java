package io.verbena.soft.qp;

import io.verbena.roce.packet.RoceConstants;
import io.verbena.verbs.BadRequestException;
import io.verbena.verbs.Errno;
import io.verbena.verbs.MemoryRegion;
import io.verbena.verbs.ReceiveRequest;
import io.verbena.verbs.SendRequest;
import io.verbena.verbs.UnsupportedVerbException;
import io.verbena.verbs.attr.Operation;
import io.verbena.verbs.attr.QueuePairCapabilities;
import io.verbena.verbs.attr.QueuePairState;
import io.verbena.verbs.attr.QueuePairType;
import io.verbena.verbs.spi.PostRules;
import io.verbena.verbs.spi.SendRequestFields;
import io.verbena.verbs.spi.UnreadableBytesException;
import java.util.List;
import java.util.Objects;

/// Refuses wrong requests before they are queued, with the reason.
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
                    operation.legalOn(qp.type()) && TransportServices.supports(qp.type(), operation);
        }
    }

    SoftSendRequest send(SendRequest request, int index) {
        if (qp.isClosed()) {
            throw closed("post send to", index);
        }
        if (!(request instanceof SoftSendRequest send)) {
            throw refused("post send to", index, PostRules.foreign(request));
        }
        if (!isKnown(send.maker, send.buffers) || qp.state() != QueuePairState.RTS) {
            String reason = refusalReason(send);
            if (reason != null) {
                throw refused("post send to", index, reason);
            }
            // What else is in a datagram or a bind may be closed meanwhile.
            send.buffers.checked(qp.type() != QueuePairType.UD && send.operation() != Operation.BIND_MEMORY_WINDOW);
        }
        return send;
    }

    static int size(List<?> chain) {
        return Objects.requireNonNull(chain, "the list of requests is null").size();
    }

    /// Why a request of another queue of this provider is refused. It has the limits of that queue, and the program has
    /// most likely confused two connections.
    static String ofAnother(Object maker, Object queue, String method) {
        return "the request was made by " + maker + "; make one with " + method + " of " + queue;
    }

    static String closed(MemoryRegion region) {
        return region + " is closed; name one that is open";
    }

    /// Why the request is refused; null when it is correct.
    private String refusalReason(SoftSendRequest send) {
        if (send.maker != qp) {
            return ofAnother(send.maker, qp, "newSendRequest");
        }
        QueuePairState state = qp.state();
        if (state.code() < QueuePairState.RTS.code()) {
            return PostRules.sendIn(state);
        }
        Operation operation = send.operation();
        if (operation == null) {
            return PostRules.NO_OPERATION;
        }
        if (!usable[operation.ordinal()]) {
            return unusable(operation);
        }
        String reason = tooMany(send.buffers, capabilities.maxSendScatterGather());
        if (reason != null) {
            return reason;
        }
        MemoryRegion closed = send.buffers.closedRegion();
        if (closed != null) {
            return closed(closed);
        }
        if (send.isInline()) {
            reason = PostRules.inline(operation, send.buffers, capabilities.maxInlineBytes());
        }
        if (reason == null) {
            reason = switch (operation) {
                case COMPARE_AND_SWAP, FETCH_AND_ADD, ATOMIC_WRITE -> word(send);
                case FLUSH -> flush(send);
                case BIND_MEMORY_WINDOW -> BindCheck.refusalReason(qp, send);
                default -> null;
            };
        }
        return reason == null && qp.type() == QueuePairType.UD ? destination(send) : reason;
    }

    private String unusable(Operation operation) {
        if (operation.legalOn(qp.type())) {
            throw new UnsupportedVerbException(
                    qp.protectionDomain().context().device().name(), "post " + operation);
        }
        return PostRules.notOn(qp.type(), operation);
    }

    private static String tooMany(SoftBufferList buffers, int most) {
        return PostRules.tooMany(buffers, most, "scatterGather");
    }

    /// Atomics return eight bytes, and ATOMIC_WRITE sends eight.
    private static String word(SoftSendRequest send) {
        long bytes = send.buffers.totalBytes();
        boolean takes = send.operation() == Operation.ATOMIC_WRITE;
        if (takes ? bytes != Long.BYTES : bytes < Long.BYTES) {
            return send.operation() + " with buffers of " + bytes + " bytes; give " + (takes ? "" : "at least ") + "8";
        }
        boolean aligned = (send.remoteAddress() & Long.BYTES - 1) == 0;
        return aligned
                ? null
                : "%s at the remote address 0x%x; it must be a multiple of 8"
                        .formatted(send.operation(), send.remoteAddress());
    }

    private static String flush(SoftSendRequest send) {
        if ((send.secondOperand() & ~SendRequestFields.WHOLE_REGION) == 0) {
            return "FLUSH without a type; give GLOBAL_VISIBILITY, PERSISTENCE or both";
        }
        return send.operand() >= 0 && send.operand() <= RoceConstants.MAX_MESSAGE_BYTES
                ? null
                : "FLUSH of " + send.operand() + " bytes; a range has at most 2^31, flushRegion takes the whole region";
    }

    private String destination(SoftSendRequest send) {
        if (!(send.handle() instanceof SoftAddressHandle handle)) {
            return PostRules.destination(send.handle());
        }
        if (handle.isClosed()) {
            return handle + " is closed";
        }
        if (handle.protectionDomain() != qp.protectionDomain()) {
            return handle + " is of another protection domain; make one from that of the queue pair";
        }
        if (send.destinationQp() >>> 24 != 0) {
            return "the destination is queue pair 0x%x; numbers have 24 bits".formatted(send.destinationQp());
        }
        send.destination = handle.destination();
        return null;
    }

    SoftReceiveRequest receive(ReceiveRequest request, int index) {
        if (qp.isClosed()) {
            throw closed("post receive to", index);
        }
        if (!(request instanceof SoftReceiveRequest receive)) {
            throw refused("post receive to", index, PostRules.foreign(request));
        }
        if (!isKnown(receive.maker, receive.buffers) || qp.state() == QueuePairState.RESET) {
            String reason = refusalReason(receive);
            if (reason != null) {
                throw refused("post receive to", index, reason);
            }
            receive.buffers.checked(true);
        }
        return receive;
    }

    /// Whether a request was checked before, and only its regions may be closed since then.
    private boolean isKnown(Object maker, SoftBufferList buffers) {
        return maker == qp && buffers.isChecked() && buffers.closedRegion() == null;
    }

    private String refusalReason(SoftReceiveRequest receive) {
        if (qp.sharesReceives()) {
            return PostRules.RECEIVES_ARE_SHARED;
        }
        if (qp.state() == QueuePairState.RESET) {
            return PostRules.RECEIVE_IN_RESET;
        }
        if (receive.maker != qp) {
            return ofAnother(receive.maker, qp, "newReceiveRequest");
        }
        String reason = tooMany(receive.buffers, capabilities.maxReceiveScatterGather());
        if (reason != null) {
            return reason;
        }
        MemoryRegion closed = receive.buffers.closedRegion();
        return closed == null ? null : closed(closed);
    }

    private BadRequestException closed(String verb, int index) {
        return failed(verb, index, Errno.EBADF, "the queue pair is closed", null);
    }

    private BadRequestException refused(String verb, int index, String explanation) {
        return failed(verb, index, Errno.EINVAL, explanation, null);
    }

    /// For inline bytes, which are read while posting.
    BadRequestException unreadable(int index, UnreadableBytesException cause) {
        return failed("post send to", index, Errno.EFAULT, cause.getMessage(), cause.getCause());
    }

    private BadRequestException failed(String verb, int index, Errno errno, String explanation, Throwable cause) {
        String what = "%s QP 0x%x".formatted(verb, qp.number());
        return new BadRequestException(what, index, errno.number(), explanation, cause);
    }
}
