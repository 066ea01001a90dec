package io.verbena.rdmacore.qp;

import io.verbena.rdmacore.layout.SendWr;
import io.verbena.rdmacore.layout.Sge;
import io.verbena.verbs.AddressHandle;
import io.verbena.verbs.MemoryRegion;
import io.verbena.verbs.MemoryWindow;
import io.verbena.verbs.SendRequest;
import io.verbena.verbs.attr.Access;
import io.verbena.verbs.attr.FlushType;
import io.verbena.verbs.attr.Operation;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/// A send request. Setters write the C struct at once; what the driver takes by another way than the struct is kept
/// here as well.
public final class NativeSendRequest extends NativeRequest implements SendRequest {
    static final int FENCE = 1;
    static final int SIGNALED = 2;
    static final int SOLICITED = 4;
    static final int INLINE = 8;

    /// `enum ibv_selectivity_level`.
    private static final byte FLUSH_RANGE = 0;

    private static final byte FLUSH_REGION = 1;

    private final int maxInlineBytes;
    private final boolean datagram;
    /// One more struct after the list, for the copy of inline bytes.
    private final long inlineSge;

    /// Null until one is named.
    private Operation operation;

    private int flags;
    private NativeAddressHandle destination;
    private boolean foreignDestination;
    private WindowBinding binding;
    private long flushLength;
    private byte flushTypes;
    private byte flushLevel;
    private boolean inlineBytes;
    /// Made when first needed.
    private MemorySegment inlineCopy;

    /// @param datagram whether each request says where it goes
    NativeSendRequest(int maxScatterGather, int maxInlineBytes, boolean datagram) {
        super(SendWr.SIZE, Sge.SIZE, maxScatterGather);
        this.maxInlineBytes = maxInlineBytes;
        this.datagram = datagram;
        this.inlineSge = address + SendWr.SIZE + NativeBufferList.bytes(Math.max(1, maxScatterGather));
    }

    boolean isDatagram() {
        return datagram;
    }

    Operation operation() {
        return operation;
    }

    int flags() {
        return flags;
    }

    long remoteAddress() {
        return SendWr.wrRdmaRemoteAddr(address);
    }

    int remoteKey() {
        return SendWr.wrRdmaRkey(address);
    }

    long flushLength() {
        return flushLength;
    }

    byte flushTypes() {
        return flushTypes;
    }

    byte flushLevel() {
        return flushLevel;
    }

    /// Where a datagram goes; null when it was not said, or by an object of another provider.
    NativeAddressHandle destination() {
        return destination;
    }

    boolean hasForeignDestination() {
        return foreignDestination;
    }

    /// The objects of a binding request; null when one is of another provider.
    WindowBinding binding() {
        return binding;
    }

    @Override
    boolean isUnchainable() {
        return ExtendedSends.isExtended(operation);
    }

    boolean isInline() {
        return (flags & INLINE) != 0;
    }

    /// Points the struct at the bytes: at a copy of them for an inline request, else at the list.
    void ready() {
        if (!isInline()) {
            SendWr.sgList(address, buffers.array());
            SendWr.numSge(address, hasBuffers() ? buffers.kept() : 0);
            return;
        }
        long total = buffers.totalBytes();
        if (inlineCopy == null || inlineCopy.byteSize() < total) {
            inlineCopy = Arena.ofAuto().allocate(Math.max(total, maxInlineBytes), 8);
        }
        buffers.copyBytes(inlineCopy, 0);
        NativeBufferList.writeStruct(inlineSge, inlineCopy.address(), total, 0);
        SendWr.sgList(address, inlineSge);
        SendWr.numSge(address, total == 0 ? 0 : 1);
    }

    /// Buffers of an earlier operation mean nothing to one that has none.
    private boolean hasBuffers() {
        return operation != Operation.LOCAL_INVALIDATE && operation != Operation.BIND_MEMORY_WINDOW;
    }

    private SendRequest operation(Operation operation) {
        this.operation = operation;
        SendWr.opcode(address, operation.code());
        return this;
    }

    private SendRequest operation(Operation operation, long remoteAddress, int rkey) {
        operation(operation);
        return remote(remoteAddress, rkey);
    }

    @Override
    public SendRequest wrId(long wrId) {
        SendWr.wrId(address, wrId);
        return this;
    }

    @Override
    public long wrId() {
        return SendWr.wrId(address);
    }

    @Override
    public SendRequest send() {
        return operation(Operation.SEND);
    }

    @Override
    public SendRequest sendWithImmediate(int immediate) {
        operation(Operation.SEND_WITH_IMMEDIATE);
        return immediate(immediate);
    }

    @Override
    public SendRequest sendWithInvalidate(int rkey) {
        SendWr.invalidateRkey(address, rkey);
        return operation(Operation.SEND_WITH_INVALIDATE);
    }

    @Override
    public SendRequest write(long remoteAddress, int rkey) {
        return operation(Operation.RDMA_WRITE, remoteAddress, rkey);
    }

    @Override
    public SendRequest writeWithImmediate(long remoteAddress, int rkey, int immediate) {
        immediate(immediate);
        return operation(Operation.RDMA_WRITE_WITH_IMMEDIATE, remoteAddress, rkey);
    }

    @Override
    public SendRequest read(long remoteAddress, int rkey) {
        return operation(Operation.RDMA_READ, remoteAddress, rkey);
    }

    @Override
    public SendRequest compareAndSwap(long remoteAddress, int rkey, long compare, long swap) {
        operation(Operation.COMPARE_AND_SWAP, remoteAddress, rkey);
        SendWr.wrAtomicCompareAdd(address, compare);
        SendWr.wrAtomicSwap(address, swap);
        return this;
    }

    @Override
    public SendRequest fetchAndAdd(long remoteAddress, int rkey, long add) {
        operation(Operation.FETCH_AND_ADD, remoteAddress, rkey);
        SendWr.wrAtomicCompareAdd(address, add);
        return this;
    }

    @Override
    public SendRequest atomicWrite(long remoteAddress, int rkey) {
        return operation(Operation.ATOMIC_WRITE, remoteAddress, rkey);
    }

    @Override
    public SendRequest flush(long remoteAddress, int rkey, long length, FlushType... types) {
        return flush(FLUSH_RANGE, remoteAddress, rkey, length, types);
    }

    private SendRequest flush(byte level, long remoteAddress, int rkey, long length, FlushType... types) {
        flushLength = length;
        flushTypes = (byte) FlushType.bits(types);
        flushLevel = level;
        return operation(Operation.FLUSH, remoteAddress, rkey);
    }

    @Override
    public SendRequest flushRegion(int rkey, FlushType... types) {
        return flush(FLUSH_REGION, 0, rkey, 0, types);
    }

    @Override
    public SendRequest localInvalidate(int rkey) {
        SendWr.invalidateRkey(address, rkey);
        return operation(Operation.LOCAL_INVALIDATE);
    }

    @Override
    public SendRequest bindMemoryWindow(
            MemoryWindow window, int rkey, MemoryRegion region, long address, long length, Access... access) {
        binding = WindowBinding.of(window, rkey, region);
        SendWr.bindMwRkey(this.address, rkey);
        SendWr.bindMwBindInfoAddr(this.address, address);
        SendWr.bindMwBindInfoLength(this.address, length);
        SendWr.bindMwBindInfoMwAccessFlags(this.address, Access.bits(access));
        return operation(Operation.BIND_MEMORY_WINDOW);
    }

    @Override
    public SendRequest remote(long remoteAddress, int rkey) {
        if (datagram) {
            return this; // the struct has the pointer to the address handle there
        }
        if (operation == null) {
            return this; // naming one says where, too
        }
        switch (operation) {
            case COMPARE_AND_SWAP, FETCH_AND_ADD -> {
                SendWr.wrAtomicRemoteAddr(address, remoteAddress);
                SendWr.wrAtomicRkey(address, rkey);
            }
            case RDMA_WRITE, RDMA_WRITE_WITH_IMMEDIATE, RDMA_READ, ATOMIC_WRITE, FLUSH -> {
                SendWr.wrRdmaRemoteAddr(address, remoteAddress);
                SendWr.wrRdmaRkey(address, rkey);
            }
            default -> {} // others go to no address
        }
        return this;
    }

    @Override
    public SendRequest immediate(int immediate) {
        SendWr.immData(address, immediate);
        return this;
    }

    /// Other buffers take the place of bytes given by [#fromInline], and with them their being inline.
    private void startBuffers() {
        buffers.clear();
        if (inlineBytes) {
            inlineBytes = false;
            inline(false);
        }
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

    /// Only datagrams have a destination of their own; on a connection it is not looked at.
    @Override
    public SendRequest to(AddressHandle handle, int qpNumber, int qkey) {
        destination = handle instanceof NativeAddressHandle own ? own : null;
        foreignDestination = handle != null && destination == null;
        if (datagram) {
            SendWr.wrUdRemoteQpn(address, qpNumber);
            SendWr.wrUdRemoteQkey(address, qkey);
        }
        return this;
    }

    private SendRequest flag(int flag, boolean on) {
        flags = on ? flags | flag : flags & ~flag;
        SendWr.sendFlags(address, flags);
        return this;
    }

    @Override
    public SendRequest signaled(boolean signaled) {
        return flag(SIGNALED, signaled);
    }

    @Override
    public SendRequest solicited(boolean solicited) {
        return flag(SOLICITED, solicited);
    }

    @Override
    public SendRequest fenced(boolean fenced) {
        return flag(FENCE, fenced);
    }

    @Override
    public SendRequest inline(boolean inline) {
        return flag(INLINE, inline);
    }
}
