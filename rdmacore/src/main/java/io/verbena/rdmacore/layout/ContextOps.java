package io.verbena.rdmacore.layout;

import io.verbena.rdmacore.lib.Memory;
import java.lang.foreign.MemorySegment;

/// The functions of a driver that C calls inline, by their place in `struct ibv_context`. Counterpart of `struct
/// ibv_context_ops`.
public final class ContextOps {
    /// Where the struct begins in `ibv_context`.
    static final int OPS = 8;

    public static final int ALLOC_MW = OPS + 56;
    public static final int BIND_MW = OPS + 64;
    public static final int DEALLOC_MW = OPS + 72;
    public static final int POLL_CQ = OPS + 88;
    public static final int REQ_NOTIFY_CQ = OPS + 96;
    public static final int POST_SRQ_RECV = OPS + 160;
    public static final int POST_SEND = OPS + 200;
    public static final int POST_RECV = OPS + 208;

    private ContextOps() {}

    /// The function at that place of the context; NULL when the driver has none.
    public static MemorySegment function(long context, int place) {
        return MemorySegment.ofAddress(Memory.getLong(context + place));
    }
}
