package io.verbena.rdmacore.layout;

import io.verbena.rdmacore.lib.Memory;

/// The binding of a type 1 window. Counterpart of `struct ibv_mw_bind`.
public final class MwBind {
    public static final int SIZE = 48;

    public static final int WR_ID = 0;
    public static final int SEND_FLAGS = 8;
    public static final int BIND_INFO_MR = 16;
    public static final int BIND_INFO_ADDR = 24;
    public static final int BIND_INFO_LENGTH = 32;
    public static final int BIND_INFO_MW_ACCESS_FLAGS = 40;

    private MwBind() {}

    public static void wrId(long mwBind, long value) {
        Memory.putLong(mwBind + WR_ID, value);
    }

    public static void sendFlags(long mwBind, int value) {
        Memory.putInt(mwBind + SEND_FLAGS, value);
    }

    public static void bindInfoMr(long mwBind, long value) {
        Memory.putLong(mwBind + BIND_INFO_MR, value);
    }

    public static void bindInfoAddr(long mwBind, long value) {
        Memory.putLong(mwBind + BIND_INFO_ADDR, value);
    }

    public static void bindInfoLength(long mwBind, long value) {
        Memory.putLong(mwBind + BIND_INFO_LENGTH, value);
    }

    public static void bindInfoMwAccessFlags(long mwBind, int value) {
        Memory.putInt(mwBind + BIND_INFO_MW_ACCESS_FLAGS, value);
    }
}
