package io.verbena.rdmacore.layout;

import io.verbena.rdmacore.layout.StructField.U32;

/// A completion channel. Counterpart of `struct ibv_comp_channel`.
public final class CompChannel {
    public static final int SIZE = 16;

    public static final U32 FD = new U32(8);

    private CompChannel() {}
}
