package io.verbena.rdmacore.qp;

import io.verbena.rdmacore.layout.SendWr;
import io.verbena.rdmacore.layout.Sge;
import io.verbena.verbs.attr.Operation;
import io.verbena.verbs.spi.SendRequestFields;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/// A send request, and its C struct. The struct is written when the request is posted; of a request that is posted
/// again only what changed. The number and the target, which change most often, are written at once.
public final class NativeSendRequest extends SendRequestFields {
    /// `enum ibv_selectivity_level`.
    private static final byte FLUSH_RANGE = 0;

    private static final byte FLUSH_REGION = 1;

    final RequestStruct struct;
    final NativeBufferList buffers;
    private final long address;
    private final int maxInlineBytes;
    private final boolean datagram;
    /// The send queue that has checked the request and written its struct, so that it need not do so again. Null when
    /// something changed since, and for requests that are checked each time.
    private SendPosts approver;
    /// Whether the target is a remote address and key, as of a WRITE and a READ.
    private boolean hasPlainTarget;
    /// Made when first needed.
    private MemorySegment inlineCopy;

    private WindowBinding binding;

    /// @param datagram whether each request says where it goes
    NativeSendRequest(int maxScatterGather, int maxInlineBytes, boolean datagram) {
        // One more struct behind the list, for the copy of inline bytes.
        this(new RequestStruct(SendWr.SIZE, maxScatterGather, Sge.SIZE), maxInlineBytes, datagram);
    }

    private NativeSendRequest(RequestStruct struct, int maxInlineBytes, boolean datagram) {
        super(struct.buffers);
        this.struct = struct;
        this.buffers = struct.buffers;
        this.address = struct.address;
        this.maxInlineBytes = maxInlineBytes;
        this.datagram = datagram;
    }

    boolean isDatagram() {
        return datagram;
    }

    byte flushTypes() {
        return (byte) secondOperand();
    }

    byte flushLevel() {
        return (secondOperand() & WHOLE_REGION) == 0 ? FLUSH_RANGE : FLUSH_REGION;
    }

    /// The objects of a binding request; null when one is of another provider.
    WindowBinding binding() {
        if (binding == null) {
            binding = WindowBinding.of(window(), rkey(), region());
        }
        return binding;
    }

    /// Whether the request can be posted to that queue as it is.
    boolean isApprovedBy(SendPosts queue) {
        return approver == queue && struct.hasAllBuffers();
    }

    /// The queue has checked the request, and [#encode] was called. Inline bytes and objects that the driver reads are
    /// checked each time.
    void approve(SendPosts queue) {
        boolean again = datagram
                || isInline()
                || struct.extended != null
                || operation() == Operation.LOCAL_INVALIDATE
                || operation() == Operation.BIND_MEMORY_WINDOW;
        approver(again ? null : queue);
    }

    private void approver(SendPosts queue) {
        if (approver != queue) {
            approver = queue;
            struct.chain = 0;
        }
    }

    @Override
    protected void onChange() {
        approver(null);
        binding = null;
    }

    @Override
    public NativeSendRequest wrId(long wrId) {
        SendWr.WR_ID.set(address, wrId);
        return this;
    }

    @Override
    public long wrId() {
        return SendWr.WR_ID.get(address);
    }

    @Override
    protected void onRemoteAddress() {
        if (approver != null && hasPlainTarget) {
            SendWr.WR_RDMA_REMOTE_ADDR.set(address, remoteAddress());
        } else {
            onTarget();
        }
    }

    @Override
    protected void onTarget() {
        if (approver == null) {
            return; // it is written when posted
        }
        if (hasPlainTarget) {
            writeRemote();
        } else {
            writeTarget(operation());
        }
    }

    private void writeTarget(Operation operation) {
        switch (operation) {
            case RDMA_WRITE, RDMA_READ -> writeRemote();
            case RDMA_WRITE_WITH_IMMEDIATE -> {
                writeRemote();
                SendWr.IMM_DATA.set(address, immediate());
            }
            case COMPARE_AND_SWAP, FETCH_AND_ADD -> {
                SendWr.WR_ATOMIC_REMOTE_ADDR.set(address, remoteAddress());
                SendWr.WR_ATOMIC_RKEY.set(address, rkey());
            }
            case SEND_WITH_IMMEDIATE -> SendWr.IMM_DATA.set(address, immediate());
            case SEND_WITH_INVALIDATE, LOCAL_INVALIDATE -> SendWr.INVALIDATE_RKEY.set(address, rkey());
            default -> {} // it has none, or is not posted by its struct
        }
    }

    private void writeRemote() {
        SendWr.WR_RDMA_REMOTE_ADDR.set(address, remoteAddress());
        SendWr.WR_RDMA_RKEY.set(address, rkey());
    }

    /// Writes the struct of a checked request, except for the objects that it names.
    void encode() {
        Operation operation = operation();
        hasPlainTarget = operation == Operation.RDMA_WRITE || operation == Operation.RDMA_READ;
        struct.extended = ExtendedSends.isExtended(operation) ? this : null;
        SendWr.OPCODE.set(address, operation.code());
        SendWr.SEND_FLAGS.set(address, flags());
        if (datagram) {
            SendWr.WR_UD_REMOTE_QPN.set(address, destinationQp());
            SendWr.WR_UD_REMOTE_QKEY.set(address, qkey());
        }
        writeTarget(operation);
        switch (operation) {
            case COMPARE_AND_SWAP, FETCH_AND_ADD -> {
                SendWr.WR_ATOMIC_COMPARE_ADD.set(address, operand());
                SendWr.WR_ATOMIC_SWAP.set(address, secondOperand());
            }
            case BIND_MEMORY_WINDOW -> {
                SendWr.BIND_MW_RKEY.set(address, rkey());
                SendWr.BIND_MW_BIND_INFO_ADDR.set(address, remoteAddress());
                SendWr.BIND_MW_BIND_INFO_LENGTH.set(address, operand());
                SendWr.BIND_MW_BIND_INFO_MW_ACCESS_FLAGS.set(address, (int) secondOperand());
            }
            default -> {}
        }
        if (isInline()) {
            encodeInline();
        } else {
            encodeBuffers(buffers.array(), hasBuffers(operation) ? buffers.kept() : 0);
        }
    }

    /// Points the struct at a copy of the bytes.
    private void encodeInline() {
        long total = buffers.totalBytes();
        if (inlineCopy == null || inlineCopy.byteSize() < total) {
            inlineCopy = Arena.ofAuto().allocate(Math.max(total, maxInlineBytes), 8);
        }
        buffers.copyBytes(inlineCopy, 0);
        NativeBufferList.writeStruct(struct.end, inlineCopy.address(), total, 0);
        encodeBuffers(struct.end, total == 0 ? 0 : 1);
    }

    private void encodeBuffers(long array, int count) {
        SendWr.SG_LIST.set(address, array);
        SendWr.NUM_SGE.set(address, count);
        struct.encodedBuffers = count;
    }

    /// Buffers of an earlier operation mean nothing to one that has none.
    private static boolean hasBuffers(Operation operation) {
        return operation != Operation.LOCAL_INVALIDATE && operation != Operation.BIND_MEMORY_WINDOW;
    }
}
