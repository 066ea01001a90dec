package io.verbena.rdmacore.layout;

import io.verbena.rdmacore.lib.Memory;

/// A completion. Counterpart of `struct ibv_wc`.
public final class Wc {
    public static final int SIZE = 48;

    public static final int WR_ID = 0;
    public static final int STATUS = 8;
    public static final int OPCODE = 12;
    public static final int VENDOR_ERR = 16;
    public static final int BYTE_LEN = 20;
    public static final int IMM_DATA = 24;
    public static final int INVALIDATED_RKEY = 24;
    public static final int QP_NUM = 28;
    public static final int SRC_QP = 32;
    public static final int WC_FLAGS = 36;
    public static final int PKEY_INDEX = 40;
    public static final int SLID = 42;
    public static final int SL = 44;
    public static final int DLID_PATH_BITS = 45;

    private Wc() {}

    public static long wrId(long wc) {
        return Memory.getLong(wc + WR_ID);
    }

    public static int status(long wc) {
        return Memory.getInt(wc + STATUS);
    }

    public static int opcode(long wc) {
        return Memory.getInt(wc + OPCODE);
    }

    public static int vendorErr(long wc) {
        return Memory.getInt(wc + VENDOR_ERR);
    }

    public static int byteLen(long wc) {
        return Memory.getInt(wc + BYTE_LEN);
    }

    public static int immData(long wc) {
        return Memory.getBigEndianInt(wc + IMM_DATA);
    }

    public static int invalidatedRkey(long wc) {
        return Memory.getInt(wc + INVALIDATED_RKEY);
    }

    public static int qpNum(long wc) {
        return Memory.getInt(wc + QP_NUM);
    }

    public static int srcQp(long wc) {
        return Memory.getInt(wc + SRC_QP);
    }

    public static int wcFlags(long wc) {
        return Memory.getInt(wc + WC_FLAGS);
    }

    public static int pkeyIndex(long wc) {
        return Memory.getShort(wc + PKEY_INDEX) & 0xFFFF;
    }

    public static int slid(long wc) {
        return Memory.getShort(wc + SLID) & 0xFFFF;
    }

    public static int sl(long wc) {
        return Memory.getByte(wc + SL) & 0xFF;
    }

    public static int dlidPathBits(long wc) {
        return Memory.getByte(wc + DLID_PATH_BITS) & 0xFF;
    }
}
