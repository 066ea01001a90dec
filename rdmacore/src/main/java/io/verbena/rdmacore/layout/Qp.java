package io.verbena.rdmacore.layout;

import io.verbena.rdmacore.lib.Memory;

/// A queue pair. Counterpart of `struct ibv_qp`.
public final class Qp {
    public static final int SIZE = 160 + Architecture.MUTEX_EXTRA;

    public static final int CONTEXT = 0;
    public static final int QP_NUM = 52;
    public static final int STATE = 56;

    private Qp() {}

    public static long context(long qp) {
        return Memory.getLong(qp + CONTEXT);
    }

    public static int qpNum(long qp) {
        return Memory.getInt(qp + QP_NUM);
    }

    public static int state(long qp) {
        return Memory.getInt(qp + STATE);
    }
}
