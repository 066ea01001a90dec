package io.verbena.rdmacore.layout;

import io.verbena.rdmacore.layout.StructField.Be32;
import io.verbena.rdmacore.layout.StructField.U16;
import io.verbena.rdmacore.layout.StructField.U32;
import io.verbena.rdmacore.layout.StructField.U64;
import io.verbena.rdmacore.layout.StructField.U8;

/// A completion. Counterpart of `struct ibv_wc`.
public final class Wc {
    public static final int SIZE = 48;

    public static final U64 WR_ID = new U64(0);
    public static final U32 STATUS = new U32(8);
    public static final U32 OPCODE = new U32(12);
    public static final U32 VENDOR_ERR = new U32(16);
    public static final U32 BYTE_LEN = new U32(20);
    public static final Be32 IMM_DATA = new Be32(24);
    public static final U32 INVALIDATED_RKEY = new U32(24);
    public static final U32 QP_NUM = new U32(28);
    public static final U32 SRC_QP = new U32(32);
    public static final U32 WC_FLAGS = new U32(36);
    public static final U16 PKEY_INDEX = new U16(40);
    public static final U16 SLID = new U16(42);
    public static final U8 SL = new U8(44);
    public static final U8 DLID_PATH_BITS = new U8(45);

    private Wc() {}
}
