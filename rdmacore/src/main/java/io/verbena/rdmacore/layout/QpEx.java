package io.verbena.rdmacore.layout;

import io.verbena.rdmacore.layout.StructField.U32;
import io.verbena.rdmacore.layout.StructField.U64;

/// A queue pair that takes requests by calls instead of by structs; the functions of its driver are in it. `WR_FLUSH`
/// is there since rdma-core 65 only: what older drivers have at that place is their own. Counterpart of `struct
/// ibv_qp_ex`.
public final class QpEx {
    public static final U64 WR_ID = new U64(168 + Architecture.MUTEX_EXTRA);
    public static final U32 WR_FLAGS = new U32(176 + Architecture.MUTEX_EXTRA);
    public static final U64 WR_START = new U64(320 + Architecture.MUTEX_EXTRA);
    public static final U64 WR_COMPLETE = new U64(328 + Architecture.MUTEX_EXTRA);
    public static final U64 WR_ATOMIC_WRITE = new U64(344 + Architecture.MUTEX_EXTRA);
    public static final U64 WR_FLUSH = new U64(352 + Architecture.MUTEX_EXTRA);

    private QpEx() {}
}
