package io.verbena.rdmacore.layout;

import io.verbena.rdmacore.layout.StructField.U32;

/// A memory region. Counterpart of `struct ibv_mr`.
public final class Mr {
    public static final int SIZE = 48;

    public static final U32 LKEY = new U32(36);
    public static final U32 RKEY = new U32(40);

    private Mr() {}
}
