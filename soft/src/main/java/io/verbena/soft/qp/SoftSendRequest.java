package io.verbena.soft.qp;

import io.verbena.soft.engine.Destination;
import io.verbena.verbs.AddressHandle;
import io.verbena.verbs.MemoryRegion;
import io.verbena.verbs.MemoryWindow;
import io.verbena.verbs.MemoryWindowBind;
import io.verbena.verbs.SendRequest;
import io.verbena.verbs.attr.Access;
import io.verbena.verbs.attr.FlushType;
import io.verbena.verbs.attr.Operation;
import java.lang.foreign.MemorySegment;

/// A send request that is being filled in. It accepts settings that the queue pair does not support; posting refuses
/// them.
public final class SoftSendRequest implements SendRequest {
    /// A flag next to the types of a FLUSH: the whole region, not a range.
    static final int WHOLE_REGION = 1 << 8;

    /// The queue pair that created the request. No other takes it.
    final SoftQueuePair maker;

    final SoftBufferList buffers;
    /// Null until it is set.
    Operation operation;

    long wrId;
    long remoteAddress;
    int rkey;
    int immediate;
    int flags;
    /// The value to compare with or to add; of a FLUSH and a bind the length; of a posted datagram its destination.
    long operand;
    /// The value to swap in; of a FLUSH its types, of a bind the rights.
    long secondOperand;
    /// The address handle of a datagram, the window and the region of a bind. While posting, `immediate` becomes the
    /// region's key.
    AddressHandle handle;
    /// The queue pair that a datagram is for (low half) and the Q_Key (high half).
    private long destination;
    /// The IP header fields of a posted datagram.
    long traffic;

    MemoryWindow window;
    MemoryRegion region;
    /// Whether [MemoryWindow#bind] created the request, for a window of type 1.
    boolean boundByCall;

    private boolean inlineBytes;

    SoftSendRequest(SoftQueuePair maker, int maxScatterGather) {
        this.maker = maker;
        this.buffers = new SoftBufferList(maxScatterGather);
    }

    /// The request that [MemoryWindow#bind] posts.
    static SoftSendRequest bindByCall(
            SoftQueuePair qp, MemoryWindow window, int rkey, long wrId, MemoryWindowBind bind) {
        SoftSendRequest request = new SoftSendRequest(qp, 0);
        request.boundByCall = true;
        request.wrId(wrId)
                .bindMemoryWindow(window, rkey, bind.region(), bind.address(), bind.length())
                .signaled(bind.signaled())
                .fenced(bind.fenced());
        request.secondOperand = Access.bits(bind.access());
        return request;
    }

    /// The length of the message: a word for an atomic, however long its buffer; 0 for operations without payload, even
    /// if an earlier use of the request left buffers.
    long messageBytes() {
        return switch (operation) {
            case COMPARE_AND_SWAP, FETCH_AND_ADD -> Long.BYTES;
            case FLUSH, LOCAL_INVALIDATE, BIND_MEMORY_WINDOW -> 0;
            default -> buffers.totalBytes();
        };
    }

    private SendRequest operation(Operation operation, long remoteAddress, int rkey, int immediate) {
        this.operation = operation;
        this.remoteAddress = remoteAddress;
        this.rkey = rkey;
        this.immediate = immediate;
        return this;
    }

    /// New buffers replace the bytes of [#fromInline], and clear the inline flag that it set.
    private void startBuffers() {
        buffers.clear();
        if (inlineBytes) {
            inlineBytes = false;
            inline(false);
        }
    }

    private SendRequest flag(int flag, boolean on) {
        flags = on ? flags | flag : flags & ~flag;
        return this;
    }

    @Override
    public SendRequest wrId(long wrId) {
        this.wrId = wrId;
        return this;
    }

    @Override
    public long wrId() {
        return wrId;
    }

    @Override
    public SendRequest send() {
        return operation(Operation.SEND, 0, 0, 0);
    }

    @Override
    public SendRequest sendWithImmediate(int immediate) {
        return operation(Operation.SEND_WITH_IMMEDIATE, 0, 0, immediate);
    }

    @Override
    public SendRequest sendWithInvalidate(int rkey) {
        return operation(Operation.SEND_WITH_INVALIDATE, 0, rkey, 0);
    }

    @Override
    public SendRequest write(long remoteAddress, int rkey) {
        return operation(Operation.RDMA_WRITE, remoteAddress, rkey, 0);
    }

    @Override
    public SendRequest writeWithImmediate(long remoteAddress, int rkey, int immediate) {
        return operation(Operation.RDMA_WRITE_WITH_IMMEDIATE, remoteAddress, rkey, immediate);
    }

    @Override
    public SendRequest read(long remoteAddress, int rkey) {
        return operation(Operation.RDMA_READ, remoteAddress, rkey, 0);
    }

    @Override
    public SendRequest compareAndSwap(long remoteAddress, int rkey, long compare, long swap) {
        operand = compare;
        secondOperand = swap;
        return operation(Operation.COMPARE_AND_SWAP, remoteAddress, rkey, 0);
    }

    @Override
    public SendRequest fetchAndAdd(long remoteAddress, int rkey, long add) {
        operand = add;
        return operation(Operation.FETCH_AND_ADD, remoteAddress, rkey, 0);
    }

    @Override
    public SendRequest atomicWrite(long remoteAddress, int rkey) {
        return operation(Operation.ATOMIC_WRITE, remoteAddress, rkey, 0);
    }

    @Override
    public SendRequest flush(long remoteAddress, int rkey, long length, FlushType... types) {
        operand = length;
        secondOperand = FlushType.bits(types);
        return operation(Operation.FLUSH, remoteAddress, rkey, 0);
    }

    @Override
    public SendRequest flushRegion(int rkey, FlushType... types) {
        operand = 0;
        secondOperand = FlushType.bits(types) | WHOLE_REGION;
        return operation(Operation.FLUSH, 0, rkey, 0);
    }

    @Override
    public SendRequest localInvalidate(int rkey) {
        return operation(Operation.LOCAL_INVALIDATE, 0, rkey, 0);
    }

    @Override
    public SendRequest bindMemoryWindow(
            MemoryWindow window, int rkey, MemoryRegion region, long address, long length, Access... access) {
        this.window = window;
        this.region = region;
        operand = length;
        secondOperand = Access.bits(access);
        return operation(Operation.BIND_MEMORY_WINDOW, address, rkey, 0);
    }

    @Override
    public SendRequest remote(long remoteAddress, int rkey) {
        this.remoteAddress = remoteAddress;
        this.rkey = rkey;
        return this;
    }

    @Override
    public SendRequest immediate(int immediate) {
        this.immediate = immediate;
        return this;
    }

    @Override
    public SendRequest from(MemoryRegion region, long offset, long length) {
        startBuffers();
        return and(region, offset, length);
    }

    @Override
    public SendRequest into(MemoryRegion region, long offset, long length) {
        if (operation != null && !operation.bringsData()) {
            throw new IllegalStateException(operation + " takes its bytes from a buffer and brings none; use from");
        }
        return from(region, offset, length);
    }

    @Override
    public SendRequest and(MemoryRegion region, long offset, long length) {
        buffers.add(region, offset, length);
        return this;
    }

    @Override
    public SendRequest fromInline(MemorySegment bytes) {
        buffers.clear();
        buffers.add(bytes);
        inlineBytes = true;
        return inline(true);
    }

    @Override
    public SendRequest fromAddress(long address, long length, int lkey) {
        startBuffers();
        return andAddress(address, length, lkey);
    }

    @Override
    public SendRequest andAddress(long address, long length, int lkey) {
        buffers.add(address, length, lkey);
        return this;
    }

    @Override
    public SendRequest empty() {
        startBuffers();
        return this;
    }

    /// Only datagrams have a destination of their own; connections ignore it.
    @Override
    public SendRequest to(AddressHandle handle, int qpNumber, int qkey) {
        this.handle = handle;
        destination = qpNumber & 0xFFFF_FFFFL | (long) qkey << 32;
        return this;
    }

    int destinationQp() {
        return (int) destination;
    }

    /// Copies the destination into fields that only other operations use. So the queue has a copy, and the handle may
    /// be closed once the request is posted.
    void copyDestination(Destination place) {
        remoteAddress = place.high();
        secondOperand = place.low();
        operand = destination;
        traffic = place.traffic();
    }

    @Override
    public SendRequest signaled(boolean signaled) {
        return flag(SendQueue.SIGNALED, signaled);
    }

    @Override
    public SendRequest solicited(boolean solicited) {
        return flag(SendQueue.SOLICITED, solicited);
    }

    @Override
    public SendRequest fenced(boolean fenced) {
        return flag(SendQueue.FENCED, fenced);
    }

    @Override
    public SendRequest inline(boolean inline) {
        return flag(SendQueue.INLINE, inline);
    }
}
