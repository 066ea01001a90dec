package io.verbena.rdmacore.qp;

import io.verbena.rdmacore.layout.RecvWr;
import io.verbena.rdmacore.layout.SendWr;
import io.verbena.rdmacore.layout.StructField.U64;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/// A request as C sees it: the struct, then its scatter/gather list, in memory that lives as long as this object.
final class RequestStruct {
    /// The same in `ibv_send_wr` and `ibv_recv_wr`.
    private static final U64 NEXT = SendWr.NEXT;

    static {
        assert NEXT.equals(RecvWr.NEXT) : "requests are linked alike";
    }

    /// Referenced here, so that it stays valid as long as this object.
    private final MemorySegment memory;

    final long address;
    /// Behind the list.
    final long end;

    final NativeBufferList buffers;
    /// The request, if it is posted by calls, and so cannot be linked to others; else null.
    NativeSendRequest extended;
    /// How many buffers the struct names.
    int encodedBuffers;
    /// The chain it was last linked into, and could be posted with again. 0 when its check or its link does not hold
    /// any more.
    long chain;
    /// What the struct says follows it; 0 for nothing.
    private long next;

    /// @param moreBytes to be had behind the list
    RequestStruct(int structBytes, int maxScatterGather, int moreBytes) {
        int max = Math.max(1, maxScatterGather);
        this.memory = Arena.ofAuto().allocate(structBytes + NativeBufferList.bytes(max) + moreBytes, 64);
        this.address = memory.address();
        this.end = address + structBytes + NativeBufferList.bytes(max);
        this.buffers = new NativeBufferList(address + structBytes, max);
    }

    /// Whether the struct names all buffers of the list.
    boolean hasAllBuffers() {
        return encodedBuffers == buffers.count();
    }

    /// Makes the next request of a chain follow; 0 for none.
    void link(long following) {
        if (next != following) {
            next = following;
            NEXT.set(address, following);
        }
    }

    /// Takes it out of a chain.
    void unlink() {
        if (next != 0) {
            link(0);
            chain = 0;
        }
    }
}
