package io.verbena.verbs.spi;

import io.verbena.verbs.MemoryRegion;
import io.verbena.verbs.ReceiveRequest;

/// The fields of a receive that is being filled in, and all its setters. A provider may keep the number, which changes
/// with each post, in its own form of the request alone.
public abstract class ReceiveRequestFields implements ReceiveRequest {
    private final BufferList list;
    private long wrId;

    /// For a receive that stores its buffers in `list`.
    protected ReceiveRequestFields(BufferList list) {
        this.list = list;
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
    public final ReceiveRequest into(MemoryRegion region, long offset, long length) {
        list.clear();
        return and(region, offset, length);
    }

    @Override
    public final ReceiveRequest and(MemoryRegion region, long offset, long length) {
        list.add(region, offset, length);
        return this;
    }

    @Override
    public final ReceiveRequest intoAddress(long address, long length, int lkey) {
        list.clear();
        return andAddress(address, length, lkey);
    }

    @Override
    public final ReceiveRequest andAddress(long address, long length, int lkey) {
        list.add(address, length, lkey);
        return this;
    }

    @Override
    public final ReceiveRequest empty() {
        list.clear();
        return this;
    }
}
