package io.verbena.rdmacore.layout;

import io.verbena.rdmacore.layout.StructField.U32;
import io.verbena.rdmacore.layout.StructField.U64;

/// A receive request. Counterpart of `struct ibv_recv_wr`.
public final class RecvWr {
    public static final int SIZE = 32;

    public static final U64 WR_ID = new U64(0);
    public static final U64 NEXT = new U64(8);
    public static final U64 SG_LIST = new U64(16);
    public static final U32 NUM_SGE = new U32(24);

    private RecvWr() {}
}
