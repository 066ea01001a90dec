package io.verbena.rdmacore.qp;

import io.verbena.rdmacore.layout.Ah;
import io.verbena.rdmacore.layout.Qp;
import io.verbena.rdmacore.layout.SendWr;
import io.verbena.verbs.SendRequest;
import io.verbena.verbs.attr.Operation;
import io.verbena.verbs.attr.QueuePairCapabilities;
import io.verbena.verbs.attr.QueuePairState;
import io.verbena.verbs.attr.QueuePairType;
import io.verbena.verbs.spi.PostRules;
import io.verbena.verbs.spi.UnreadableBytesException;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.function.Consumer;

/// The send queue of a queue pair as programs see it. Checks what drivers do not check, or check too late.
final class SendPosts extends PostQueue<SendRequest> {
    private static final int RTS = QueuePairState.RTS.code();

    private final long qp;
    private final QueuePairType type;
    private final QueuePairCapabilities capabilities;
    private final Consumer<Operation> requireExtended;
    /// Null when the queue pair was not made for it.
    private final ExtendedSends extended;
    /// The objects that requests being posted name, with the struct that names each.
    private HeldObject[] held = new HeldObject[16];

    private RequestStruct[] holders = new RequestStruct[16];
    private int heldCount;

    /// @param requireExtended throws when the device does not have that operation
    /// @param extended null when the queue pair was not made for such operations
    SendPosts(
            String verb,
            MemorySegment function,
            long qp,
            QueuePairType type,
            QueuePairCapabilities capabilities,
            Consumer<Operation> requireExtended,
            ExtendedSends extended) {
        super(verb, function, qp);
        this.qp = qp;
        this.type = type;
        this.capabilities = capabilities;
        this.requireExtended = requireExtended;
        this.extended = extended;
    }

    @Override
    boolean isReady() {
        return Qp.STATE.get(qp) >= RTS;
    }

    @Override
    RequestStruct approved(SendRequest request) {
        return request instanceof NativeSendRequest send && send.isApprovedBy(this) ? send.struct : null;
    }

    @Override
    RequestStruct check(SendRequest request, int index) {
        if (!(request instanceof NativeSendRequest send)) {
            throw refused(index, PostRules.foreign(request));
        }
        String refusal = refusal(send);
        if (refusal != null) {
            throw refused(index, refusal);
        }
        try {
            send.encode();
            if (send.operation() == Operation.ATOMIC_WRITE) {
                extended.copyWord(send);
            }
        } catch (UnreadableBytesException e) {
            throw unreadable(index, e);
        }
        if (type == QueuePairType.UD) {
            hold(holdDestination(send, index), send);
        } else if (send.operation() == Operation.BIND_MEMORY_WINDOW) {
            hold(holdWindow(send, index), send);
        }
        send.approve(this);
        return send.struct;
    }

    /// Why the request cannot be posted, whatever objects it names; null when it can.
    private String refusal(NativeSendRequest send) {
        if (send.isDatagram() != (type == QueuePairType.UD)) { // its struct has other things in the same places
            return "the request was made by a queue pair of another type; make one with newSendRequest";
        }
        // Some drivers queue a request and notice only later that the state does not allow it.
        int state = Qp.STATE.get(qp);
        if (state < RTS) {
            return PostRules.sendIn(QueuePairState.ofCode(state));
        }
        Operation operation = send.operation();
        if (operation == null) {
            return PostRules.NO_OPERATION;
        }
        if (!operation.legalOn(type)) {
            return PostRules.notOn(type, operation);
        }
        String refusal = ExtendedSends.isExtended(operation) ? refusalOfExtended(send, operation) : null;
        if (refusal == null) {
            int most = capabilities.maxSendScatterGather();
            refusal = PostRules.tooMany(send.buffers, most, "scatterGather");
        }
        return refusal == null && send.isInline()
                ? PostRules.inline(operation, send.buffers, capabilities.maxInlineBytes())
                : refusal;
    }

    private void hold(HeldObject named, NativeSendRequest send) {
        if (heldCount == held.length) {
            held = Arrays.copyOf(held, 2 * heldCount);
            holders = Arrays.copyOf(holders, 2 * heldCount);
        }
        held[heldCount] = named;
        holders[heldCount++] = send.struct;
    }

    private HeldObject holdDestination(NativeSendRequest send, int index) {
        if (!(send.handle() instanceof NativeAddressHandle destination)) {
            throw refused(index, PostRules.destination(send.handle()));
        }
        if (!destination.acquire()) {
            throw refused(index, destination + " is closed");
        }
        if (Ah.CONTEXT.get(destination.struct())
                != Qp.CONTEXT.get(qp)) { // the driver would read a struct of another one
            destination.release();
            throw refused(index, destination + " is of another context; make one from this context");
        }
        SendWr.WR_UD_AH.set(send.struct.address, destination.struct());
        return destination;
    }

    private HeldObject holdWindow(NativeSendRequest send, int index) {
        WindowBinding binding = send.binding();
        if (binding == null) {
            throw refused(index, PostRules.FOREIGN_WINDOW);
        }
        if (!binding.acquire(send.struct.address)) {
            throw refused(index, PostRules.CLOSED_WINDOW);
        }
        String refusal = binding.refusal(Qp.CONTEXT.get(qp));
        if (refusal != null) {
            binding.release();
            throw refused(index, refusal);
        }
        return binding;
    }

    /// Releases what was held: not what the requests name now, as a program may have changed them meanwhile.
    @Override
    void release() {
        while (heldCount > 0) {
            HeldObject named = held[--heldCount];
            held[heldCount] = null;
            holders[heldCount] = null;
            named.release();
        }
    }

    @Override
    void posted(RequestStruct request) {
        for (int i = 0; i < heldCount; i++) {
            if (holders[i] == request && held[i] instanceof WindowBinding binding) {
                binding.posted();
            }
        }
    }

    @Override
    boolean holdsObjects() {
        return heldCount > 0;
    }

    @Override
    int submit(RequestStruct first) {
        return first.extended == null ? super.submit(first) : Math.abs(extended.post(first.extended));
    }

    private String refusalOfExtended(NativeSendRequest send, Operation operation) {
        if (extended == null || !extended.take(operation)) {
            requireExtended.accept(operation);
            return ExtendedSends.notNamed(operation);
        }
        if (operation != Operation.ATOMIC_WRITE) {
            return null;
        }
        if (send.buffers.totalBytes() != ExtendedSends.ATOMIC_WRITE_BYTES) {
            return send.buffers.totalBytes() + " bytes; an atomic write has 8";
        }
        return send.buffers.isReadable() ? null : "the 8 bytes cannot be read from a raw address; give them with from";
    }
}
