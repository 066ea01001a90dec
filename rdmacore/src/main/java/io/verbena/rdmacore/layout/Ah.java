package io.verbena.rdmacore.layout;

import io.verbena.rdmacore.lib.Memory;

/// An address handle. Counterpart of `struct ibv_ah`.
public final class Ah {
    public static final int SIZE = 24;

    public static final int CONTEXT = 0;

    private Ah() {}

    public static long context(long ah) {
        return Memory.getLong(ah + CONTEXT);
    }
}
