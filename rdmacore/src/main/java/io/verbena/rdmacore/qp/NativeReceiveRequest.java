package io.verbena.rdmacore.qp;

import io.verbena.rdmacore.layout.RecvWr;
import io.verbena.verbs.spi.ReceiveRequestFields;

/// A receive request, and its C struct.
public final class NativeReceiveRequest extends ReceiveRequestFields {
    final RequestStruct struct;
    private final NativeBufferList buffers;
    private final long address;

    public NativeReceiveRequest(int maxScatterGather) {
        this(new RequestStruct(RecvWr.SIZE, maxScatterGather, 0));
    }

    private NativeReceiveRequest(RequestStruct struct) {
        super(struct.buffers);
        this.struct = struct;
        this.buffers = struct.buffers;
        this.address = struct.address;
        RecvWr.SG_LIST.set(address, buffers.array());
    }

    @Override
    public NativeReceiveRequest wrId(long wrId) {
        RecvWr.WR_ID.set(address, wrId);
        return this;
    }

    @Override
    public long wrId() {
        return RecvWr.WR_ID.get(address);
    }

    /// Tells the struct how many buffers there are. Only now: there may be more than the list has room for.
    void encode() {
        struct.chain = 0; // another queue may have allowed fewer
        struct.encodedBuffers = buffers.kept();
        RecvWr.NUM_SGE.set(address, struct.encodedBuffers);
    }
}
