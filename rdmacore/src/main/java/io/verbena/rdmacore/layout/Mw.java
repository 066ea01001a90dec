package io.verbena.rdmacore.layout;

import io.verbena.rdmacore.layout.StructField.U32;
import io.verbena.rdmacore.layout.StructField.U64;

/// A memory window. Counterpart of `struct ibv_mw`.
public final class Mw {
    public static final int SIZE = 32;

    public static final U64 CONTEXT = new U64(0);
    public static final U32 RKEY = new U32(16);
    public static final int TYPE = 24;

    private Mw() {}
}
