package io.verbena.rdmacore.layout;

import io.verbena.rdmacore.layout.StructField.Be64;
import io.verbena.rdmacore.layout.StructField.U16;
import io.verbena.rdmacore.layout.StructField.U32;
import io.verbena.rdmacore.layout.StructField.U64;
import io.verbena.rdmacore.layout.StructField.U8;
import io.verbena.rdmacore.lib.Memory;

/// The limits and features of a device. Counterpart of `struct ibv_device_attr`.
public final class DeviceAttr {
    public static final int SIZE = 232;

    public static final int FW_VER = 0;
    public static final Be64 NODE_GUID = new Be64(64);
    public static final Be64 SYS_IMAGE_GUID = new Be64(72);
    public static final U64 MAX_MR_SIZE = new U64(80);
    public static final U64 PAGE_SIZE_CAP = new U64(88);
    public static final U32 VENDOR_ID = new U32(96);
    public static final U32 VENDOR_PART_ID = new U32(100);
    public static final U32 HW_VER = new U32(104);
    public static final U32 MAX_QP = new U32(108);
    public static final U32 MAX_QP_WR = new U32(112);
    public static final U32 DEVICE_CAP_FLAGS = new U32(116);
    public static final U32 MAX_SGE = new U32(120);
    public static final U32 MAX_SGE_RD = new U32(124);
    public static final U32 MAX_CQ = new U32(128);
    public static final U32 MAX_CQE = new U32(132);
    public static final U32 MAX_MR = new U32(136);
    public static final U32 MAX_PD = new U32(140);
    public static final U32 MAX_QP_RD_ATOM = new U32(144);
    public static final U32 MAX_RES_RD_ATOM = new U32(152);
    public static final U32 MAX_QP_INIT_RD_ATOM = new U32(156);
    public static final U32 ATOMIC_CAP = new U32(164);
    public static final U32 MAX_MW = new U32(176);
    public static final U32 MAX_MCAST_GRP = new U32(188);
    public static final U32 MAX_MCAST_QP_ATTACH = new U32(192);
    public static final U32 MAX_TOTAL_MCAST_QP_ATTACH = new U32(196);
    public static final U32 MAX_AH = new U32(200);
    public static final U32 MAX_SRQ = new U32(212);
    public static final U32 MAX_SRQ_WR = new U32(216);
    public static final U32 MAX_SRQ_SGE = new U32(220);
    public static final U16 MAX_PKEYS = new U16(224);
    public static final U8 LOCAL_CA_ACK_DELAY = new U8(226);
    public static final U8 PHYS_PORT_CNT = new U8(227);

    private DeviceAttr() {}

    public static String fwVer(long deviceAttr) {
        return Memory.string(deviceAttr + FW_VER, 64);
    }
}
