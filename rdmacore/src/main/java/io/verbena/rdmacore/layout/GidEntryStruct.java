package io.verbena.rdmacore.layout;

import io.verbena.rdmacore.layout.StructField.U32;

/// A row of the GID table. Counterpart of `struct ibv_gid_entry`.
public final class GidEntryStruct {
    public static final int SIZE = 32;

    public static final int GID = 0;
    public static final U32 GID_INDEX = new U32(16);
    public static final U32 PORT_NUM = new U32(20);
    public static final U32 GID_TYPE = new U32(24);

    private GidEntryStruct() {}
}
