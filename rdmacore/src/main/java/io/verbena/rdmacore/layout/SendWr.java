package io.verbena.rdmacore.layout;

import io.verbena.rdmacore.lib.Memory;

/// A send request. Counterpart of `struct ibv_send_wr`.
public final class SendWr {
    public static final int SIZE = 128;

    public static final int WR_ID = 0;
    public static final int NEXT = 8;
    public static final int SG_LIST = 16;
    public static final int NUM_SGE = 24;
    public static final int OPCODE = 28;
    public static final int SEND_FLAGS = 32;
    public static final int IMM_DATA = 36;
    public static final int INVALIDATE_RKEY = 36;
    public static final int WR_RDMA_REMOTE_ADDR = 40;
    public static final int WR_RDMA_RKEY = 48;
    public static final int WR_ATOMIC_REMOTE_ADDR = 40;
    public static final int WR_ATOMIC_COMPARE_ADD = 48;
    public static final int WR_ATOMIC_SWAP = 56;
    public static final int WR_ATOMIC_RKEY = 64;
    public static final int WR_UD_AH = 40;
    public static final int WR_UD_REMOTE_QPN = 48;
    public static final int WR_UD_REMOTE_QKEY = 52;
    public static final int BIND_MW_MW = 80;
    public static final int BIND_MW_RKEY = 88;
    public static final int BIND_MW_BIND_INFO_MR = 96;
    public static final int BIND_MW_BIND_INFO_ADDR = 104;
    public static final int BIND_MW_BIND_INFO_LENGTH = 112;
    public static final int BIND_MW_BIND_INFO_MW_ACCESS_FLAGS = 120;

    private SendWr() {}

    public static long wrId(long sendWr) {
        return Memory.getLong(sendWr + WR_ID);
    }

    public static void wrId(long sendWr, long value) {
        Memory.putLong(sendWr + WR_ID, value);
    }

    public static void next(long sendWr, long value) {
        Memory.putLong(sendWr + NEXT, value);
    }

    public static void sgList(long sendWr, long value) {
        Memory.putLong(sendWr + SG_LIST, value);
    }

    public static void numSge(long sendWr, int value) {
        Memory.putInt(sendWr + NUM_SGE, value);
    }

    public static void opcode(long sendWr, int value) {
        Memory.putInt(sendWr + OPCODE, value);
    }

    public static int sendFlags(long sendWr) {
        return Memory.getInt(sendWr + SEND_FLAGS);
    }

    public static void sendFlags(long sendWr, int value) {
        Memory.putInt(sendWr + SEND_FLAGS, value);
    }

    public static void immData(long sendWr, int value) {
        Memory.putBigEndianInt(sendWr + IMM_DATA, value);
    }

    public static void invalidateRkey(long sendWr, int value) {
        Memory.putInt(sendWr + INVALIDATE_RKEY, value);
    }

    public static long wrRdmaRemoteAddr(long sendWr) {
        return Memory.getLong(sendWr + WR_RDMA_REMOTE_ADDR);
    }

    public static void wrRdmaRemoteAddr(long sendWr, long value) {
        Memory.putLong(sendWr + WR_RDMA_REMOTE_ADDR, value);
    }

    public static int wrRdmaRkey(long sendWr) {
        return Memory.getInt(sendWr + WR_RDMA_RKEY);
    }

    public static void wrRdmaRkey(long sendWr, int value) {
        Memory.putInt(sendWr + WR_RDMA_RKEY, value);
    }

    public static void wrAtomicRemoteAddr(long sendWr, long value) {
        Memory.putLong(sendWr + WR_ATOMIC_REMOTE_ADDR, value);
    }

    public static void wrAtomicCompareAdd(long sendWr, long value) {
        Memory.putLong(sendWr + WR_ATOMIC_COMPARE_ADD, value);
    }

    public static void wrAtomicSwap(long sendWr, long value) {
        Memory.putLong(sendWr + WR_ATOMIC_SWAP, value);
    }

    public static void wrAtomicRkey(long sendWr, int value) {
        Memory.putInt(sendWr + WR_ATOMIC_RKEY, value);
    }

    public static void wrUdAh(long sendWr, long value) {
        Memory.putLong(sendWr + WR_UD_AH, value);
    }

    public static void wrUdRemoteQpn(long sendWr, int value) {
        Memory.putInt(sendWr + WR_UD_REMOTE_QPN, value);
    }

    public static void wrUdRemoteQkey(long sendWr, int value) {
        Memory.putInt(sendWr + WR_UD_REMOTE_QKEY, value);
    }

    public static void bindMwMw(long sendWr, long value) {
        Memory.putLong(sendWr + BIND_MW_MW, value);
    }

    public static void bindMwRkey(long sendWr, int value) {
        Memory.putInt(sendWr + BIND_MW_RKEY, value);
    }

    public static void bindMwBindInfoMr(long sendWr, long value) {
        Memory.putLong(sendWr + BIND_MW_BIND_INFO_MR, value);
    }

    public static void bindMwBindInfoAddr(long sendWr, long value) {
        Memory.putLong(sendWr + BIND_MW_BIND_INFO_ADDR, value);
    }

    public static void bindMwBindInfoLength(long sendWr, long value) {
        Memory.putLong(sendWr + BIND_MW_BIND_INFO_LENGTH, value);
    }

    public static void bindMwBindInfoMwAccessFlags(long sendWr, int value) {
        Memory.putInt(sendWr + BIND_MW_BIND_INFO_MW_ACCESS_FLAGS, value);
    }
}
