package io.verbena.rdmacore.layout;

import io.verbena.rdmacore.layout.StructField.U16;
import io.verbena.rdmacore.layout.StructField.U32;
import io.verbena.rdmacore.layout.StructField.U8;

/// Where packets go and how they travel. Counterpart of `struct ibv_ah_attr`.
public final class AhAttr {
    public static final int SIZE = 32;

    public static final int GRH_DGID = 0;
    public static final U32 GRH_FLOW_LABEL = new U32(16);
    public static final U8 GRH_SGID_INDEX = new U8(20);
    public static final U8 GRH_HOP_LIMIT = new U8(21);
    public static final U8 GRH_TRAFFIC_CLASS = new U8(22);
    public static final U16 DLID = new U16(24);
    public static final U8 SL = new U8(26);
    public static final U8 SRC_PATH_BITS = new U8(27);
    public static final U8 STATIC_RATE = new U8(28);
    public static final U8 IS_GLOBAL = new U8(29);
    public static final U8 PORT_NUM = new U8(30);

    private AhAttr() {}
}
