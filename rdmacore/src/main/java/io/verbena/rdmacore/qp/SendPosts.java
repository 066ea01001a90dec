package io.verbena.rdmacore.qp;

import io.verbena.rdmacore.layout.Qp;
import io.verbena.verbs.SendRequest;
import io.verbena.verbs.UnsupportedVerbException;
import io.verbena.verbs.attr.Operation;
import io.verbena.verbs.attr.QueuePairCapabilities;
import io.verbena.verbs.attr.QueuePairState;
import io.verbena.verbs.attr.QueuePairType;
import java.lang.foreign.MemorySegment;

/// The send queue of a queue pair as programs see it. Checks what drivers do not check, or check too late.
final class SendPosts extends PostQueue<SendRequest> {
    private final long qp;
    private final QueuePairType type;
    private final QueuePairCapabilities capabilities;
    private final String device;

    SendPosts(
            String verb,
            MemorySegment function,
            long qp,
            QueuePairType type,
            QueuePairCapabilities capabilities,
            String device) {
        super(verb, function, qp);
        this.qp = qp;
        this.type = type;
        this.capabilities = capabilities;
        this.device = device;
    }

    @Override
    protected NativeRequest prepare(SendRequest request, int index) {
        if (!(request instanceof NativeSendRequest send)) {
            throw refused(index, "the request was made by a queue pair of another provider");
        }
        // Some drivers queue a request and find out later that it is too early for it.
        int state = Qp.state(qp);
        if (state < QueuePairState.RTS.code()) {
            throw refused(
                    index, "the queue pair is in " + QueuePairState.ofCode(state) + "; sends are taken from RTS on");
        }
        Operation operation = send.operation();
        if (!operation.legalOn(type)) {
            throw refused(index, operation + " cannot be asked of a queue pair of type " + type);
        }
        if (!isPlain(operation)) {
            throw new UnsupportedVerbException(device, "post " + operation);
        }
        if (send.buffers.isMoreThan(capabilities.maxSendScatterGather())) {
            throw refused(
                    index,
                    send.buffers.count() + " buffers, the queue pair takes " + capabilities.maxSendScatterGather()
                            + "; ask for more with scatterGather when making it");
        }
        if (send.isInline()) {
            checkInline(send, operation, index);
        }
        send.ready();
        return send;
    }

    /// Whether `ibv_post_send` takes it.
    private static boolean isPlain(Operation operation) {
        return switch (operation) {
            case ATOMIC_WRITE, FLUSH, BIND_MEMORY_WINDOW -> false;
            default -> true;
        };
    }

    private void checkInline(NativeSendRequest send, Operation operation, int index) {
        if (!operation.mayBeInline()) {
            throw refused(index, operation + " cannot be inline; only SEND and WRITE can");
        }
        if (send.buffers.totalBytes() > capabilities.maxInlineBytes()) {
            throw refused(
                    index,
                    send.buffers.totalBytes() + " inline bytes, the queue pair takes " + capabilities.maxInlineBytes()
                            + "; ask for more with inlineBytes when making it");
        }
        if (!send.buffers.isReadable()) {
            throw refused(index, "inline bytes cannot be read from a raw address; give them with from or fromInline");
        }
    }
}
