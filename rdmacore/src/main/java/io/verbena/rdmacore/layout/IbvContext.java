package io.verbena.rdmacore.layout;

import io.verbena.rdmacore.layout.StructField.U32;
import io.verbena.rdmacore.layout.StructField.U64;

/// An open device. The functions of its driver are in [ContextOps]. Counterpart of `struct ibv_context`.
public final class IbvContext {
    public static final int SIZE = 328 + Architecture.MUTEX_EXTRA;

    public static final U64 DEVICE = new U64(0);
    public static final U32 ASYNC_FD = new U32(268);
    public static final U32 NUM_COMP_VECTORS = new U32(272);
    public static final U64 ABI_COMPAT = new U64(320 + Architecture.MUTEX_EXTRA);

    private IbvContext() {}
}
