package io.verbena.soft.qp;

import io.verbena.verbs.MemoryRegion;
import io.verbena.verbs.ReceiveRequest;

/// A receive that is being filled in.
final class SoftReceiveRequest implements ReceiveRequest {
    /// The queue pair or shared receive queue that created the request. No other takes it.
    final Object maker;

    final SoftBufferList buffers;
    long wrId;

    SoftReceiveRequest(Object maker, int maxScatterGather) {
        this.maker = maker;
        this.buffers = new SoftBufferList(maxScatterGather);
    }

    @Override
    public ReceiveRequest wrId(long wrId) {
        this.wrId = wrId;
        return this;
    }

    @Override
    public long wrId() {
        return wrId;
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
