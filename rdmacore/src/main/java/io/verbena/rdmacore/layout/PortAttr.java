package io.verbena.rdmacore.layout;

import io.verbena.rdmacore.lib.Memory;

/// State and limits of a port. Older libraries know the first 52 bytes only, so the size goes with the call.
/// Counterpart of `struct ibv_port_attr`.
public final class PortAttr {
    public static final int SIZE = 56;

    public static final int STATE = 0;
    public static final int MAX_MTU = 4;
    public static final int ACTIVE_MTU = 8;
    public static final int GID_TBL_LEN = 12;
    public static final int PORT_CAP_FLAGS = 16;
    public static final int MAX_MSG_SZ = 20;
    public static final int BAD_PKEY_CNTR = 24;
    public static final int QKEY_VIOL_CNTR = 28;
    public static final int PKEY_TBL_LEN = 32;
    public static final int LID = 34;
    public static final int SM_LID = 36;
    public static final int LMC = 38;
    public static final int MAX_VL_NUM = 39;
    public static final int SM_SL = 40;
    public static final int SUBNET_TIMEOUT = 41;
    public static final int INIT_TYPE_REPLY = 42;
    public static final int ACTIVE_WIDTH = 43;
    public static final int ACTIVE_SPEED = 44;
    public static final int PHYS_STATE = 45;
    public static final int LINK_LAYER = 46;
    public static final int PORT_CAP_FLAGS2 = 48;
    public static final int ACTIVE_SPEED_EX = 52;

    private PortAttr() {}

    public static int state(long portAttr) {
        return Memory.getInt(portAttr + STATE);
    }

    public static int maxMtu(long portAttr) {
        return Memory.getInt(portAttr + MAX_MTU);
    }

    public static int activeMtu(long portAttr) {
        return Memory.getInt(portAttr + ACTIVE_MTU);
    }

    public static int gidTblLen(long portAttr) {
        return Memory.getInt(portAttr + GID_TBL_LEN);
    }

    public static int portCapFlags(long portAttr) {
        return Memory.getInt(portAttr + PORT_CAP_FLAGS);
    }

    public static int maxMsgSz(long portAttr) {
        return Memory.getInt(portAttr + MAX_MSG_SZ);
    }

    public static int badPkeyCntr(long portAttr) {
        return Memory.getInt(portAttr + BAD_PKEY_CNTR);
    }

    public static int qkeyViolCntr(long portAttr) {
        return Memory.getInt(portAttr + QKEY_VIOL_CNTR);
    }

    public static int pkeyTblLen(long portAttr) {
        return Memory.getShort(portAttr + PKEY_TBL_LEN) & 0xFFFF;
    }

    public static int lid(long portAttr) {
        return Memory.getShort(portAttr + LID) & 0xFFFF;
    }

    public static int smLid(long portAttr) {
        return Memory.getShort(portAttr + SM_LID) & 0xFFFF;
    }

    public static int lmc(long portAttr) {
        return Memory.getByte(portAttr + LMC) & 0xFF;
    }

    public static int maxVlNum(long portAttr) {
        return Memory.getByte(portAttr + MAX_VL_NUM) & 0xFF;
    }

    public static int smSl(long portAttr) {
        return Memory.getByte(portAttr + SM_SL) & 0xFF;
    }

    public static int subnetTimeout(long portAttr) {
        return Memory.getByte(portAttr + SUBNET_TIMEOUT) & 0xFF;
    }

    public static int initTypeReply(long portAttr) {
        return Memory.getByte(portAttr + INIT_TYPE_REPLY) & 0xFF;
    }

    public static int activeWidth(long portAttr) {
        return Memory.getByte(portAttr + ACTIVE_WIDTH) & 0xFF;
    }

    public static int activeSpeed(long portAttr) {
        return Memory.getByte(portAttr + ACTIVE_SPEED) & 0xFF;
    }

    public static int physState(long portAttr) {
        return Memory.getByte(portAttr + PHYS_STATE) & 0xFF;
    }

    public static int linkLayer(long portAttr) {
        return Memory.getByte(portAttr + LINK_LAYER) & 0xFF;
    }

    public static int portCapFlags2(long portAttr) {
        return Memory.getShort(portAttr + PORT_CAP_FLAGS2) & 0xFFFF;
    }

    public static int activeSpeedEx(long portAttr) {
        return Memory.getInt(portAttr + ACTIVE_SPEED_EX);
    }
}
