package io.verbena.rdmacore.layout;

import io.verbena.rdmacore.layout.StructField.U32;

/// Sizes of a queue pair. Counterpart of `struct ibv_qp_cap`.
public final class QpCap {
    public static final int SIZE = 20;

    public static final U32 MAX_SEND_WR = new U32(0);
    public static final U32 MAX_RECV_WR = new U32(4);
    public static final U32 MAX_SEND_SGE = new U32(8);
    public static final U32 MAX_RECV_SGE = new U32(12);
    public static final U32 MAX_INLINE_DATA = new U32(16);

    private QpCap() {}
}
