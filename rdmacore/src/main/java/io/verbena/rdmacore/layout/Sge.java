package io.verbena.rdmacore.layout;

import io.verbena.rdmacore.layout.StructField.U32;
import io.verbena.rdmacore.layout.StructField.U64;

/// A piece of local memory. Counterpart of `struct ibv_sge`.
public final class Sge {
    public static final int SIZE = 16;

    public static final U64 ADDR = new U64(0);
    public static final U32 LENGTH = new U32(8);
    public static final U32 LKEY = new U32(12);

    private Sge() {}
}
