package io.verbena.rdmacore.layout;

import io.verbena.rdmacore.layout.StructField.U32;
import io.verbena.rdmacore.layout.StructField.U64;

/// The binding of a type 1 window. Counterpart of `struct ibv_mw_bind`.
public final class MwBind {
    public static final int SIZE = 48;

    public static final U64 WR_ID = new U64(0);
    public static final U32 SEND_FLAGS = new U32(8);
    public static final U64 BIND_INFO_MR = new U64(16);
    public static final U64 BIND_INFO_ADDR = new U64(24);
    public static final U64 BIND_INFO_LENGTH = new U64(32);
    public static final U32 BIND_INFO_MW_ACCESS_FLAGS = new U32(40);

    private MwBind() {}
}
