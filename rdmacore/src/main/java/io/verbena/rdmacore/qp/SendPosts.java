package io.verbena.rdmacore.qp;

import io.verbena.rdmacore.layout.Ah;
import io.verbena.rdmacore.layout.Qp;
import io.verbena.rdmacore.layout.SendWr;
import io.verbena.verbs.SendRequest;
import io.verbena.verbs.attr.Operation;
import io.verbena.verbs.attr.QueuePairCapabilities;
import io.verbena.verbs.attr.QueuePairState;
import io.verbena.verbs.attr.QueuePairType;
import io.verbena.verbs.spi.UnreadableBytesException;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.function.Consumer;

/// The send queue of a queue pair as programs see it. Checks what drivers do not check, or check too late.
final class SendPosts extends PostQueue<SendRequest> {
    private final long qp;
    private final QueuePairType type;
    private final QueuePairCapabilities capabilities;
    private final Consumer<Operation> requireExtended;
    /// Null when the queue pair was not made for it.
    private final ExtendedSends extended;
    /// The objects that the requests being posted name, one for each; null for requests that name none.
    private HeldObject[] held = new HeldObject[16];

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
    protected NativeRequest prepare(SendRequest request, int index) {
        if (!(request instanceof NativeSendRequest send)) {
            throw foreign(request, index);
        }
        if (send.isDatagram() != (type == QueuePairType.UD)) { // its struct has other things in the same places
            throw refused(index, "the request was made by a queue pair of another type; make one with newSendRequest");
        }
        // Some drivers queue a request and notice only later that the state does not allow it.
        int state = Qp.state(qp);
        if (state < QueuePairState.RTS.code()) {
            throw refused(
                    index, "the queue pair is in " + QueuePairState.ofCode(state) + "; sends are taken from RTS on");
        }
        Operation operation = send.operation();
        if (operation == null) {
            throw refused(index, "name an operation first: send, write, read or another");
        }
        if (!operation.legalOn(type)) {
            throw refused(index, operation + " cannot be asked of a queue pair of type " + type);
        }
        if (ExtendedSends.isExtended(operation)) {
            checkExtended(send, operation, index);
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
        try {
            send.ready();
            if (operation == Operation.ATOMIC_WRITE) {
                extended.copyWord(send);
            }
        } catch (UnreadableBytesException e) {
            throw unreadable(index, e);
        }
        HeldObject named = null;
        if (type == QueuePairType.UD) {
            named = holdDestination(send, index);
        } else if (operation == Operation.BIND_MEMORY_WINDOW) {
            named = holdWindow(send, index);
        }
        if (heldCount == held.length) {
            held = Arrays.copyOf(held, 2 * heldCount);
        }
        held[heldCount++] = named;
        return send;
    }

    private HeldObject holdDestination(NativeSendRequest send, int index) {
        NativeAddressHandle destination = send.destination();
        if (destination == null) {
            throw refused(
                    index,
                    send.hasForeignDestination()
                            ? "the address handle is of another provider"
                            : "a datagram needs an address handle; name one with to");
        }
        if (!destination.acquire()) {
            throw refused(index, destination + " is closed");
        }
        if (Ah.context(destination.struct()) != Qp.context(qp)) { // the driver would read a struct of another one
            destination.release();
            throw refused(index, destination + " is of another context; make one from this context");
        }
        SendWr.wrUdAh(send.address, destination.struct());
        return destination;
    }

    private HeldObject holdWindow(NativeSendRequest send, int index) {
        WindowBinding binding = send.binding();
        if (binding == null) {
            throw refused(index, "the memory window or the memory region is of another provider");
        }
        if (!binding.acquire(send.address)) {
            throw refused(index, "the memory window or the memory region is closed");
        }
        String refusal = binding.refusal(Qp.context(qp));
        if (refusal != null) {
            binding.release();
            throw refused(index, refusal);
        }
        return binding;
    }

    /// Releases what was held last: not what the request names now, as a program may have changed it meanwhile.
    @Override
    protected void release(NativeRequest request) {
        HeldObject named = held[--heldCount];
        held[heldCount] = null;
        if (named != null) {
            named.release();
        }
    }

    @Override
    protected void posted(NativeRequest request) {
        NativeSendRequest send = (NativeSendRequest) request;
        if (send.operation() == Operation.BIND_MEMORY_WINDOW) {
            send.binding().posted();
        }
    }

    @Override
    protected int submit(NativeRequest first) {
        return first.isUnchainable() ? Math.abs(extended.post((NativeSendRequest) first)) : super.submit(first);
    }

    private void checkExtended(NativeSendRequest send, Operation operation, int index) {
        if (extended == null || !extended.take(operation)) {
            requireExtended.accept(operation);
            throw refused(index, ExtendedSends.notNamed(operation));
        }
        if (operation != Operation.ATOMIC_WRITE) {
            return;
        }
        if (send.buffers.totalBytes() != ExtendedSends.ATOMIC_WRITE_BYTES) {
            throw refused(index, send.buffers.totalBytes() + " bytes; an atomic write has 8");
        }
        if (!send.buffers.isReadable()) {
            throw refused(index, "the 8 bytes cannot be read from a raw address; give them with from");
        }
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
