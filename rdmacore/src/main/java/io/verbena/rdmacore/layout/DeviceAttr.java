package io.verbena.rdmacore.layout;

import io.verbena.rdmacore.lib.Memory;

/// The limits and features of a device. Counterpart of `struct ibv_device_attr`.
public final class DeviceAttr {
    public static final int SIZE = 232;

    public static final int FW_VER = 0;
    public static final int NODE_GUID = 64;
    public static final int SYS_IMAGE_GUID = 72;
    public static final int MAX_MR_SIZE = 80;
    public static final int PAGE_SIZE_CAP = 88;
    public static final int VENDOR_ID = 96;
    public static final int VENDOR_PART_ID = 100;
    public static final int HW_VER = 104;
    public static final int MAX_QP = 108;
    public static final int MAX_QP_WR = 112;
    public static final int DEVICE_CAP_FLAGS = 116;
    public static final int MAX_SGE = 120;
    public static final int MAX_SGE_RD = 124;
    public static final int MAX_CQ = 128;
    public static final int MAX_CQE = 132;
    public static final int MAX_MR = 136;
    public static final int MAX_PD = 140;
    public static final int MAX_QP_RD_ATOM = 144;
    public static final int MAX_RES_RD_ATOM = 152;
    public static final int MAX_QP_INIT_RD_ATOM = 156;
    public static final int ATOMIC_CAP = 164;
    public static final int MAX_MW = 176;
    public static final int MAX_MCAST_GRP = 188;
    public static final int MAX_MCAST_QP_ATTACH = 192;
    public static final int MAX_TOTAL_MCAST_QP_ATTACH = 196;
    public static final int MAX_AH = 200;
    public static final int MAX_SRQ = 212;
    public static final int MAX_SRQ_WR = 216;
    public static final int MAX_SRQ_SGE = 220;
    public static final int MAX_PKEYS = 224;
    public static final int LOCAL_CA_ACK_DELAY = 226;
    public static final int PHYS_PORT_CNT = 227;

    private DeviceAttr() {}

    public static long nodeGuid(long deviceAttr) {
        return Memory.getBigEndianLong(deviceAttr + NODE_GUID);
    }

    public static long sysImageGuid(long deviceAttr) {
        return Memory.getBigEndianLong(deviceAttr + SYS_IMAGE_GUID);
    }

    public static long maxMrSize(long deviceAttr) {
        return Memory.getLong(deviceAttr + MAX_MR_SIZE);
    }

    public static long pageSizeCap(long deviceAttr) {
        return Memory.getLong(deviceAttr + PAGE_SIZE_CAP);
    }

    public static int vendorId(long deviceAttr) {
        return Memory.getInt(deviceAttr + VENDOR_ID);
    }

    public static int vendorPartId(long deviceAttr) {
        return Memory.getInt(deviceAttr + VENDOR_PART_ID);
    }

    public static int hwVer(long deviceAttr) {
        return Memory.getInt(deviceAttr + HW_VER);
    }

    public static int maxQp(long deviceAttr) {
        return Memory.getInt(deviceAttr + MAX_QP);
    }

    public static int maxQpWr(long deviceAttr) {
        return Memory.getInt(deviceAttr + MAX_QP_WR);
    }

    public static int deviceCapFlags(long deviceAttr) {
        return Memory.getInt(deviceAttr + DEVICE_CAP_FLAGS);
    }

    public static int maxSge(long deviceAttr) {
        return Memory.getInt(deviceAttr + MAX_SGE);
    }

    public static int maxSgeRd(long deviceAttr) {
        return Memory.getInt(deviceAttr + MAX_SGE_RD);
    }

    public static int maxCq(long deviceAttr) {
        return Memory.getInt(deviceAttr + MAX_CQ);
    }

    public static int maxCqe(long deviceAttr) {
        return Memory.getInt(deviceAttr + MAX_CQE);
    }

    public static int maxMr(long deviceAttr) {
        return Memory.getInt(deviceAttr + MAX_MR);
    }

    public static int maxPd(long deviceAttr) {
        return Memory.getInt(deviceAttr + MAX_PD);
    }

    public static int maxQpRdAtom(long deviceAttr) {
        return Memory.getInt(deviceAttr + MAX_QP_RD_ATOM);
    }

    public static int maxResRdAtom(long deviceAttr) {
        return Memory.getInt(deviceAttr + MAX_RES_RD_ATOM);
    }

    public static int maxQpInitRdAtom(long deviceAttr) {
        return Memory.getInt(deviceAttr + MAX_QP_INIT_RD_ATOM);
    }

    public static int atomicCap(long deviceAttr) {
        return Memory.getInt(deviceAttr + ATOMIC_CAP);
    }

    public static int maxMw(long deviceAttr) {
        return Memory.getInt(deviceAttr + MAX_MW);
    }

    public static int maxMcastGrp(long deviceAttr) {
        return Memory.getInt(deviceAttr + MAX_MCAST_GRP);
    }

    public static int maxMcastQpAttach(long deviceAttr) {
        return Memory.getInt(deviceAttr + MAX_MCAST_QP_ATTACH);
    }

    public static int maxTotalMcastQpAttach(long deviceAttr) {
        return Memory.getInt(deviceAttr + MAX_TOTAL_MCAST_QP_ATTACH);
    }

    public static int maxAh(long deviceAttr) {
        return Memory.getInt(deviceAttr + MAX_AH);
    }

    public static int maxSrq(long deviceAttr) {
        return Memory.getInt(deviceAttr + MAX_SRQ);
    }

    public static int maxSrqWr(long deviceAttr) {
        return Memory.getInt(deviceAttr + MAX_SRQ_WR);
    }

    public static int maxSrqSge(long deviceAttr) {
        return Memory.getInt(deviceAttr + MAX_SRQ_SGE);
    }

    public static int maxPkeys(long deviceAttr) {
        return Memory.getShort(deviceAttr + MAX_PKEYS) & 0xFFFF;
    }

    public static int localCaAckDelay(long deviceAttr) {
        return Memory.getByte(deviceAttr + LOCAL_CA_ACK_DELAY) & 0xFF;
    }

    public static int physPortCnt(long deviceAttr) {
        return Memory.getByte(deviceAttr + PHYS_PORT_CNT) & 0xFF;
    }

    public static String fwVer(long deviceAttr) {
        return Memory.string(deviceAttr + FW_VER, 64);
    }
}
