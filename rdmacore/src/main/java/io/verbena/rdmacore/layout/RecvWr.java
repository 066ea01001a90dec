package io.verbena.rdmacore.layout;

import io.verbena.rdmacore.lib.Memory;

/// A receive request. Counterpart of `struct ibv_recv_wr`.
public final class RecvWr {
    public static final int SIZE = 32;

    public static final int WR_ID = 0;
    public static final int NEXT = 8;
    public static final int SG_LIST = 16;
    public static final int NUM_SGE = 24;

    private RecvWr() {}

    public static long wrId(long recvWr) {
        return Memory.getLong(recvWr + WR_ID);
    }

    public static void wrId(long recvWr, long value) {
        Memory.putLong(recvWr + WR_ID, value);
    }

    public static void next(long recvWr, long value) {
        Memory.putLong(recvWr + NEXT, value);
    }

    public static void sgList(long recvWr, long value) {
        Memory.putLong(recvWr + SG_LIST, value);
    }

    public static void numSge(long recvWr, int value) {
        Memory.putInt(recvWr + NUM_SGE, value);
    }
}
