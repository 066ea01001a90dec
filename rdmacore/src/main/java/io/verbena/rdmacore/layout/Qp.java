package io.verbena.rdmacore.layout;

import io.verbena.rdmacore.layout.StructField.U32;
import io.verbena.rdmacore.layout.StructField.U64;

/// A queue pair. Counterpart of `struct ibv_qp`.
public final class Qp {
    public static final int SIZE = 160 + Architecture.MUTEX_EXTRA;

    public static final U64 CONTEXT = new U64(0);
    public static final U32 QP_NUM = new U32(52);
    public static final U32 STATE = new U32(56);

    private Qp() {}
}
