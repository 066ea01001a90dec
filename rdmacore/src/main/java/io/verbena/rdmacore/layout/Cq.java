package io.verbena.rdmacore.layout;

import io.verbena.rdmacore.layout.StructField.U32;
import io.verbena.rdmacore.layout.StructField.U64;

/// A completion queue. Counterpart of `struct ibv_cq`.
public final class Cq {
    public static final int SIZE = 128 + Architecture.MUTEX_EXTRA;

    public static final U64 CONTEXT = new U64(0);
    public static final U32 CQE = new U32(28);

    private Cq() {}
}
