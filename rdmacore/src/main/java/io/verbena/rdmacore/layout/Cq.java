package io.verbena.rdmacore.layout;

import io.verbena.rdmacore.lib.Memory;

/// A completion queue. Counterpart of `struct ibv_cq`.
public final class Cq {
    public static final int SIZE = 128 + Architecture.MUTEX_EXTRA;

    public static final int CONTEXT = 0;
    public static final int CQE = 28;

    private Cq() {}

    public static long context(long cq) {
        return Memory.getLong(cq + CONTEXT);
    }

    public static int cqe(long cq) {
        return Memory.getInt(cq + CQE);
    }
}
