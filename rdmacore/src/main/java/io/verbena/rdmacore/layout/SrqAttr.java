package io.verbena.rdmacore.layout;

import io.verbena.rdmacore.lib.Memory;

/// Sizes of a shared receive queue. Counterpart of `struct ibv_srq_attr`.
public final class SrqAttr {
    public static final int SIZE = 12;

    public static final int MAX_WR = 0;
    public static final int MAX_SGE = 4;
    public static final int SRQ_LIMIT = 8;

    private SrqAttr() {}

    public static int maxWr(long srqAttr) {
        return Memory.getInt(srqAttr + MAX_WR);
    }

    public static void maxWr(long srqAttr, int value) {
        Memory.putInt(srqAttr + MAX_WR, value);
    }

    public static int maxSge(long srqAttr) {
        return Memory.getInt(srqAttr + MAX_SGE);
    }

    public static void maxSge(long srqAttr, int value) {
        Memory.putInt(srqAttr + MAX_SGE, value);
    }

    public static int srqLimit(long srqAttr) {
        return Memory.getInt(srqAttr + SRQ_LIMIT);
    }

    public static void srqLimit(long srqAttr, int value) {
        Memory.putInt(srqAttr + SRQ_LIMIT, value);
    }
}
