package io.verbena.rdmacore.layout;

import io.verbena.rdmacore.lib.Memory;

/// Sizes of a queue pair. Counterpart of `struct ibv_qp_cap`.
public final class QpCap {
    public static final int SIZE = 20;

    public static final int MAX_SEND_WR = 0;
    public static final int MAX_RECV_WR = 4;
    public static final int MAX_SEND_SGE = 8;
    public static final int MAX_RECV_SGE = 12;
    public static final int MAX_INLINE_DATA = 16;

    private QpCap() {}

    public static int maxSendWr(long qpCap) {
        return Memory.getInt(qpCap + MAX_SEND_WR);
    }

    public static void maxSendWr(long qpCap, int value) {
        Memory.putInt(qpCap + MAX_SEND_WR, value);
    }

    public static int maxRecvWr(long qpCap) {
        return Memory.getInt(qpCap + MAX_RECV_WR);
    }

    public static void maxRecvWr(long qpCap, int value) {
        Memory.putInt(qpCap + MAX_RECV_WR, value);
    }

    public static int maxSendSge(long qpCap) {
        return Memory.getInt(qpCap + MAX_SEND_SGE);
    }

    public static void maxSendSge(long qpCap, int value) {
        Memory.putInt(qpCap + MAX_SEND_SGE, value);
    }

    public static int maxRecvSge(long qpCap) {
        return Memory.getInt(qpCap + MAX_RECV_SGE);
    }

    public static void maxRecvSge(long qpCap, int value) {
        Memory.putInt(qpCap + MAX_RECV_SGE, value);
    }

    public static int maxInlineData(long qpCap) {
        return Memory.getInt(qpCap + MAX_INLINE_DATA);
    }

    public static void maxInlineData(long qpCap, int value) {
        Memory.putInt(qpCap + MAX_INLINE_DATA, value);
    }
}
