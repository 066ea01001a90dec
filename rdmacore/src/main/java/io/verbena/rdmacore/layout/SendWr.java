package io.verbena.rdmacore.layout;

import io.verbena.rdmacore.layout.StructField.Be32;
import io.verbena.rdmacore.layout.StructField.U32;
import io.verbena.rdmacore.layout.StructField.U64;

/// A send request. Counterpart of `struct ibv_send_wr`.
public final class SendWr {
    public static final int SIZE = 128;

    public static final U64 WR_ID = new U64(0);
    public static final U64 NEXT = new U64(8);
    public static final U64 SG_LIST = new U64(16);
    public static final U32 NUM_SGE = new U32(24);
    public static final U32 OPCODE = new U32(28);
    public static final U32 SEND_FLAGS = new U32(32);
    public static final Be32 IMM_DATA = new Be32(36);
    public static final U32 INVALIDATE_RKEY = new U32(36);
    public static final U64 WR_RDMA_REMOTE_ADDR = new U64(40);
    public static final U32 WR_RDMA_RKEY = new U32(48);
    public static final U64 WR_ATOMIC_REMOTE_ADDR = new U64(40);
    public static final U64 WR_ATOMIC_COMPARE_ADD = new U64(48);
    public static final U64 WR_ATOMIC_SWAP = new U64(56);
    public static final U32 WR_ATOMIC_RKEY = new U32(64);
    public static final U64 WR_UD_AH = new U64(40);
    public static final U32 WR_UD_REMOTE_QPN = new U32(48);
    public static final U32 WR_UD_REMOTE_QKEY = new U32(52);
    public static final U64 BIND_MW_MW = new U64(80);
    public static final U32 BIND_MW_RKEY = new U32(88);
    public static final U64 BIND_MW_BIND_INFO_MR = new U64(96);
    public static final U64 BIND_MW_BIND_INFO_ADDR = new U64(104);
    public static final U64 BIND_MW_BIND_INFO_LENGTH = new U64(112);
    public static final U32 BIND_MW_BIND_INFO_MW_ACCESS_FLAGS = new U32(120);

    private SendWr() {}
}
