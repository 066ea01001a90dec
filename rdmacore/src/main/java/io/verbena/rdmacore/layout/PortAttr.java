package io.verbena.rdmacore.layout;

import io.verbena.rdmacore.layout.StructField.U16;
import io.verbena.rdmacore.layout.StructField.U32;
import io.verbena.rdmacore.layout.StructField.U8;

/// State and limits of a port. Older libraries know the first 52 bytes only, so the size goes with the call.
/// Counterpart of `struct ibv_port_attr`.
public final class PortAttr {
    public static final int SIZE = 56;

    public static final U32 STATE = new U32(0);
    public static final U32 MAX_MTU = new U32(4);
    public static final U32 ACTIVE_MTU = new U32(8);
    public static final U32 GID_TBL_LEN = new U32(12);
    public static final U32 PORT_CAP_FLAGS = new U32(16);
    public static final U32 MAX_MSG_SZ = new U32(20);
    public static final U32 BAD_PKEY_CNTR = new U32(24);
    public static final U32 QKEY_VIOL_CNTR = new U32(28);
    public static final U16 PKEY_TBL_LEN = new U16(32);
    public static final U16 LID = new U16(34);
    public static final U16 SM_LID = new U16(36);
    public static final U8 LMC = new U8(38);
    public static final U8 MAX_VL_NUM = new U8(39);
    public static final U8 SM_SL = new U8(40);
    public static final U8 SUBNET_TIMEOUT = new U8(41);
    public static final U8 INIT_TYPE_REPLY = new U8(42);
    public static final U8 ACTIVE_WIDTH = new U8(43);
    public static final U8 ACTIVE_SPEED = new U8(44);
    public static final U8 PHYS_STATE = new U8(45);
    public static final U8 LINK_LAYER = new U8(46);
    public static final U16 PORT_CAP_FLAGS2 = new U16(48);
    public static final U32 ACTIVE_SPEED_EX = new U32(52);

    private PortAttr() {}
}
