package io.verbena.rdmacore.qp;

import io.verbena.rdmacore.layout.RecvWr;
import io.verbena.verbs.MemoryRegion;
import io.verbena.verbs.ReceiveRequest;

/// A receive request. Setters write the C struct at once.
public final class NativeReceiveRequest extends NativeRequest implements ReceiveRequest {
    public NativeReceiveRequest(int maxScatterGather) {
        super(RecvWr.SIZE, 0, maxScatterGather);
        RecvWr.sgList(address, buffers.array());
    }

    int bufferCount() {
        return buffers.count();
    }

    /// Tells the struct how many buffers there are. Only now: there may be more than the list has room for.
    void ready() {
        RecvWr.numSge(address, buffers.kept());
    }

    @Override
    public ReceiveRequest wrId(long wrId) {
        RecvWr.wrId(address, wrId);
        return this;
    }

    @Override
    public long wrId() {
        return RecvWr.wrId(address);
    }

    @Override
    public ReceiveRequest into(MemoryRegion region, long offset, long length) {
        buffers.clear();
        return and(region, offset, length);
    }

    @Override
    public ReceiveRequest and(MemoryRegion region, long offset, long length) {
        buffers.add(region, offset, length);
        return this;
    }

    @Override
    public ReceiveRequest intoAddress(long address, long length, int lkey) {
        buffers.clear();
        return andAddress(address, length, lkey);
    }

    @Override
    public ReceiveRequest andAddress(long address, long length, int lkey) {
        buffers.add(address, length, lkey);
        return this;
    }

    @Override
    public ReceiveRequest empty() {
        buffers.clear();
        return this;
    }
}
