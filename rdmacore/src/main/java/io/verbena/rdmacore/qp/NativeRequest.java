package io.verbena.rdmacore.qp;

import io.verbena.rdmacore.layout.RecvWr;
import io.verbena.rdmacore.layout.SendWr;
import io.verbena.rdmacore.lib.Memory;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/// A request as C sees it: the struct, then its scatter/gather list, in memory that lives as long as this object.
public abstract class NativeRequest {
    /// The same in `ibv_send_wr` and `ibv_recv_wr`.
    private static final int NEXT = SendWr.NEXT;

    static {
        assert NEXT == RecvWr.NEXT : "requests are linked alike";
    }

    protected final MemorySegment memory;
    /// Of the struct.
    protected final long address;
    protected final NativeBufferList buffers;
    /// The chain it was last linked into, so that one that is named twice is noticed.
    long chain;

    NativeRequest(int structBytes, int moreBytes, int maxScatterGather) {
        int max = Math.max(1, maxScatterGather);
        this.memory = Arena.ofAuto().allocate(structBytes + NativeBufferList.bytes(max) + moreBytes, 64);
        this.address = memory.address();
        this.buffers = new NativeBufferList(address + structBytes, max);
    }

    /// Whether it cannot be linked to others.
    boolean isUnchainable() {
        return false;
    }

    /// Makes the next request of a chain follow; 0 for none.
    final void link(long next) {
        Memory.putLong(address + NEXT, next);
    }
}
