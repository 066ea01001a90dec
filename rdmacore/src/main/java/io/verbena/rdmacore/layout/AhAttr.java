package io.verbena.rdmacore.layout;

import io.verbena.rdmacore.lib.Memory;

/// Where packets go and how they travel. Counterpart of `struct ibv_ah_attr`.
public final class AhAttr {
    public static final int SIZE = 32;

    public static final int GRH_DGID = 0;
    public static final int GRH_FLOW_LABEL = 16;
    public static final int GRH_SGID_INDEX = 20;
    public static final int GRH_HOP_LIMIT = 21;
    public static final int GRH_TRAFFIC_CLASS = 22;
    public static final int DLID = 24;
    public static final int SL = 26;
    public static final int SRC_PATH_BITS = 27;
    public static final int STATIC_RATE = 28;
    public static final int IS_GLOBAL = 29;
    public static final int PORT_NUM = 30;

    private AhAttr() {}

    public static int grhFlowLabel(long ahAttr) {
        return Memory.getInt(ahAttr + GRH_FLOW_LABEL);
    }

    public static void grhFlowLabel(long ahAttr, int value) {
        Memory.putInt(ahAttr + GRH_FLOW_LABEL, value);
    }

    public static int grhSgidIndex(long ahAttr) {
        return Memory.getByte(ahAttr + GRH_SGID_INDEX) & 0xFF;
    }

    public static void grhSgidIndex(long ahAttr, int value) {
        Memory.putByte(ahAttr + GRH_SGID_INDEX, (byte) value);
    }

    public static int grhHopLimit(long ahAttr) {
        return Memory.getByte(ahAttr + GRH_HOP_LIMIT) & 0xFF;
    }

    public static void grhHopLimit(long ahAttr, int value) {
        Memory.putByte(ahAttr + GRH_HOP_LIMIT, (byte) value);
    }

    public static int grhTrafficClass(long ahAttr) {
        return Memory.getByte(ahAttr + GRH_TRAFFIC_CLASS) & 0xFF;
    }

    public static void grhTrafficClass(long ahAttr, int value) {
        Memory.putByte(ahAttr + GRH_TRAFFIC_CLASS, (byte) value);
    }

    public static int dlid(long ahAttr) {
        return Memory.getShort(ahAttr + DLID) & 0xFFFF;
    }

    public static void dlid(long ahAttr, int value) {
        Memory.putShort(ahAttr + DLID, (short) value);
    }

    public static int sl(long ahAttr) {
        return Memory.getByte(ahAttr + SL) & 0xFF;
    }

    public static void sl(long ahAttr, int value) {
        Memory.putByte(ahAttr + SL, (byte) value);
    }

    public static int srcPathBits(long ahAttr) {
        return Memory.getByte(ahAttr + SRC_PATH_BITS) & 0xFF;
    }

    public static void srcPathBits(long ahAttr, int value) {
        Memory.putByte(ahAttr + SRC_PATH_BITS, (byte) value);
    }

    public static int staticRate(long ahAttr) {
        return Memory.getByte(ahAttr + STATIC_RATE) & 0xFF;
    }

    public static void staticRate(long ahAttr, int value) {
        Memory.putByte(ahAttr + STATIC_RATE, (byte) value);
    }

    public static int isGlobal(long ahAttr) {
        return Memory.getByte(ahAttr + IS_GLOBAL) & 0xFF;
    }

    public static void isGlobal(long ahAttr, int value) {
        Memory.putByte(ahAttr + IS_GLOBAL, (byte) value);
    }

    public static int portNum(long ahAttr) {
        return Memory.getByte(ahAttr + PORT_NUM) & 0xFF;
    }

    public static void portNum(long ahAttr, int value) {
        Memory.putByte(ahAttr + PORT_NUM, (byte) value);
    }
}
