package io.verbena.verbs.spi;

import io.verbena.verbs.AddressHandle;
import io.verbena.verbs.MemoryRegion;
import io.verbena.verbs.MemoryWindow;
import io.verbena.verbs.SendRequest;
import io.verbena.verbs.attr.Access;
import io.verbena.verbs.attr.FlushType;
import io.verbena.verbs.attr.Operation;
import java.lang.foreign.MemorySegment;

/// The fields of a send request that is being filled in, and all its setters. It accepts settings that the queue pair
/// does not support; posting refuses them. A provider reads the fields when the request is posted, or writes changes to
/// its own form of the request at once: [#onRemoteAddress], [#onTarget] and [#onChange] report them. The number, which
/// changes with each post, it may keep in that form alone.
public abstract class SendRequestFields implements SendRequest {
    /// The flags have the values of `enum ibv_send_flags`.
    public static final int FENCED = 1;

    public static final int SIGNALED = 2;
    public static final int SOLICITED = 4;
    public static final int INLINE = 8;

    /// A flag next to the types of a FLUSH: the whole region, not a range.
    public static final int WHOLE_REGION = 1 << 8;

    private final BufferList list;
    private Operation operation;
    private long wrId;
    private long remoteAddress;
    private int rkey;
    private int immediate;
    private int flags;
    private long operand;
    private long secondOperand;
    private AddressHandle handle;
    private int destinationQp;
    private int qkey;
    private MemoryWindow window;
    private MemoryRegion region;
    /// Whether the operation has a remote address, which [#remote] may change.
    private boolean hasRemote;

    /// Whether [#fromInline] gave the bytes, and so set the inline flag.
    private boolean inlineBytes;

    /// For a request that stores its buffers in `list`.
    protected SendRequestFields(BufferList list) {
        this.list = list;
    }

    /// Called when [#remoteAddress] may have a new value, and nothing else.
    protected void onRemoteAddress() {
        onTarget();
    }

    /// Called when [#remoteAddress], [#rkey] or [#immediate] may have new values, but the operation is the same.
    protected void onTarget() {}

    /// Called when something else has changed: the operation, an operand, a flag, the destination of a datagram. Not
    /// for buffers.
    protected void onChange() {}

    // ---- for posting ----

    /// Null until it is set.
    public final Operation operation() {
        return operation;
    }

    @Override
    public long wrId() {
        return wrId;
    }

    /// Of a bind: where the window starts.
    public final long remoteAddress() {
        return remoteAddress;
    }

    /// Of a SEND_WITH_INVALIDATE and a LOCAL_INVALIDATE the key to revoke, of a bind the new one.
    public final int rkey() {
        return rkey;
    }

    /// The immediate value.
    public final int immediate() {
        return immediate;
    }

    /// The flags, as bits.
    public final int flags() {
        return flags;
    }

    /// Whether the bytes are copied while posting.
    public final boolean isInline() {
        return (flags & INLINE) != 0;
    }

    /// The value to compare with or to add; of a FLUSH and a bind the length.
    public final long operand() {
        return operand;
    }

    /// The value to swap in; of a FLUSH its types, with [#WHOLE_REGION]; of a bind the rights.
    public final long secondOperand() {
        return secondOperand;
    }

    /// The address handle of a datagram; null until it is set.
    public final AddressHandle handle() {
        return handle;
    }

    /// The queue pair that a datagram is for.
    public final int destinationQp() {
        return destinationQp;
    }

    /// The key that a datagram carries.
    public final int qkey() {
        return qkey;
    }

    /// The window to bind.
    public final MemoryWindow window() {
        return window;
    }

    /// The region that a window is bound to.
    public final MemoryRegion region() {
        return region;
    }

    // ---- the operation ----

    private SendRequest operation(Operation named, long address, int key, int value) {
        remoteAddress = address;
        rkey = key;
        immediate = value;
        if (operation == named) {
            onTarget();
        } else {
            operation = named;
            hasRemote = hasRemote(named);
            onChange();
        }
        return this;
    }

    private SendRequest operation(Operation named, long address, int key, long first, long second) {
        operand = first;
        secondOperand = second;
        operation(named, address, key, 0);
        onChange();
        return this;
    }

    private static boolean hasRemote(Operation operation) {
        return switch (operation) {
            case SEND, SEND_WITH_IMMEDIATE, SEND_WITH_INVALIDATE, LOCAL_INVALIDATE, BIND_MEMORY_WINDOW -> false;
            default -> true;
        };
    }

    @Override
    public SendRequest wrId(long wrId) {
        this.wrId = wrId;
        return this;
    }

    @Override
    public final SendRequest send() {
        return operation(Operation.SEND, 0, 0, 0);
    }

    @Override
    public final SendRequest sendWithImmediate(int immediate) {
        return operation(Operation.SEND_WITH_IMMEDIATE, 0, 0, immediate);
    }

    @Override
    public final SendRequest sendWithInvalidate(int rkey) {
        return operation(Operation.SEND_WITH_INVALIDATE, 0, rkey, 0);
    }

    @Override
    public final SendRequest write(long remoteAddress, int rkey) {
        return operation(Operation.RDMA_WRITE, remoteAddress, rkey, 0);
    }

    @Override
    public final SendRequest writeWithImmediate(long remoteAddress, int rkey, int immediate) {
        return operation(Operation.RDMA_WRITE_WITH_IMMEDIATE, remoteAddress, rkey, immediate);
    }

    @Override
    public final SendRequest read(long remoteAddress, int rkey) {
        return operation(Operation.RDMA_READ, remoteAddress, rkey, 0);
    }

    @Override
    public final SendRequest compareAndSwap(long remoteAddress, int rkey, long compare, long swap) {
        return operation(Operation.COMPARE_AND_SWAP, remoteAddress, rkey, compare, swap);
    }

    @Override
    public final SendRequest fetchAndAdd(long remoteAddress, int rkey, long add) {
        return operation(Operation.FETCH_AND_ADD, remoteAddress, rkey, add, 0);
    }

    @Override
    public final SendRequest atomicWrite(long remoteAddress, int rkey) {
        return operation(Operation.ATOMIC_WRITE, remoteAddress, rkey, 0);
    }

    @Override
    public final SendRequest flush(long remoteAddress, int rkey, long length, FlushType... types) {
        return operation(Operation.FLUSH, remoteAddress, rkey, length, FlushType.bits(types));
    }

    @Override
    public final SendRequest flushRegion(int rkey, FlushType... types) {
        return operation(Operation.FLUSH, 0, rkey, 0, FlushType.bits(types) | WHOLE_REGION);
    }

    @Override
    public final SendRequest localInvalidate(int rkey) {
        return operation(Operation.LOCAL_INVALIDATE, 0, rkey, 0);
    }

    @Override
    public final SendRequest bindMemoryWindow(
            MemoryWindow window, int rkey, MemoryRegion region, long address, long length, Access... access) {
        this.window = window;
        this.region = region;
        return operation(Operation.BIND_MEMORY_WINDOW, address, rkey, length, Access.bits(access));
    }

    /// Ignored by operations without a remote address, whose key is another.
    @Override
    public final SendRequest remote(long remoteAddress, int rkey) {
        if (hasRemote) {
            this.remoteAddress = remoteAddress;
            if (this.rkey == rkey) {
                onRemoteAddress();
            } else {
                this.rkey = rkey;
                onTarget();
            }
        }
        return this;
    }

    @Override
    public final SendRequest immediate(int immediate) {
        this.immediate = immediate;
        onTarget();
        return this;
    }

    // ---- the buffers ----

    /// New buffers replace the bytes of [#fromInline], and clear the inline flag that it set.
    private void startBuffers() {
        list.clear();
        if (inlineBytes) {
            inlineBytes = false;
            inline(false);
        }
    }

    @Override
    public final SendRequest from(MemoryRegion region, long offset, long length) {
        startBuffers();
        return and(region, offset, length);
    }

    @Override
    public final SendRequest into(MemoryRegion region, long offset, long length) {
        if (operation != null && !operation.bringsData()) {
            throw new IllegalStateException(operation + " takes its bytes from a buffer and brings none; use from");
        }
        return from(region, offset, length);
    }

    @Override
    public final SendRequest and(MemoryRegion region, long offset, long length) {
        list.add(region, offset, length);
        return this;
    }

    @Override
    public final SendRequest fromInline(MemorySegment bytes) {
        list.clear();
        list.add(bytes);
        inlineBytes = true;
        return inline(true);
    }

    @Override
    public final SendRequest fromAddress(long address, long length, int lkey) {
        startBuffers();
        return andAddress(address, length, lkey);
    }

    @Override
    public final SendRequest andAddress(long address, long length, int lkey) {
        list.add(address, length, lkey);
        return this;
    }

    @Override
    public final SendRequest empty() {
        startBuffers();
        return this;
    }

    // ---- destination and flags ----

    /// Only datagrams have a destination of their own; connections ignore it.
    @Override
    public final SendRequest to(AddressHandle handle, int qpNumber, int qkey) {
        this.handle = handle;
        this.destinationQp = qpNumber;
        this.qkey = qkey;
        onChange();
        return this;
    }

    private SendRequest flag(int flag, boolean on) {
        int changed = on ? flags | flag : flags & ~flag;
        if (changed != flags) {
            flags = changed;
            onChange();
        }
        return this;
    }

    @Override
    public final SendRequest signaled(boolean signaled) {
        return flag(SIGNALED, signaled);
    }

    @Override
    public final SendRequest solicited(boolean solicited) {
        return flag(SOLICITED, solicited);
    }

    @Override
    public final SendRequest fenced(boolean fenced) {
        return flag(FENCED, fenced);
    }

    @Override
    public final SendRequest inline(boolean inline) {
        return flag(INLINE, inline);
    }
}
