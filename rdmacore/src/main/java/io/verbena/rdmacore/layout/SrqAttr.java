package io.verbena.rdmacore.layout;

import io.verbena.rdmacore.layout.StructField.U32;

/// Sizes of a shared receive queue. Counterpart of `struct ibv_srq_attr`.
public final class SrqAttr {
    public static final int SIZE = 12;

    public static final U32 MAX_WR = new U32(0);
    public static final U32 MAX_SGE = new U32(4);
    public static final U32 SRQ_LIMIT = new U32(8);

    private SrqAttr() {}
}
