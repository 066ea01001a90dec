package io.verbena.rdmacore.layout;

import io.verbena.rdmacore.layout.StructField.U64;

/// An address handle. Counterpart of `struct ibv_ah`.
public final class Ah {
    public static final int SIZE = 24;

    public static final U64 CONTEXT = new U64(0);

    private Ah() {}
}
