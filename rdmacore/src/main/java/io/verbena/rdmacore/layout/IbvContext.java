package io.verbena.rdmacore.layout;

import io.verbena.rdmacore.lib.Memory;

/// An open device. The functions of its driver are in [ContextOps]. Counterpart of `struct ibv_context`.
public final class IbvContext {
    public static final int SIZE = 328 + Architecture.MUTEX_EXTRA;

    public static final int DEVICE = 0;
    public static final int ASYNC_FD = 268;
    public static final int NUM_COMP_VECTORS = 272;
    public static final int ABI_COMPAT = 320 + Architecture.MUTEX_EXTRA;

    private IbvContext() {}

    public static long device(long context) {
        return Memory.getLong(context + DEVICE);
    }

    public static int asyncFd(long context) {
        return Memory.getInt(context + ASYNC_FD);
    }

    public static int numCompVectors(long context) {
        return Memory.getInt(context + NUM_COMP_VECTORS);
    }

    public static long abiCompat(long context) {
        return Memory.getLong(context + ABI_COMPAT);
    }
}
