package io.verbena.rdmacore.layout;

import io.verbena.rdmacore.lib.Memory;

/// The options of a new queue pair; [QpCap] is at `CAP`. Counterpart of `struct ibv_qp_init_attr`.
public final class QpInitAttr {
    public static final int SIZE = 64;

    public static final int QP_CONTEXT = 0;
    public static final int SEND_CQ = 8;
    public static final int RECV_CQ = 16;
    public static final int SRQ = 24;
    public static final int CAP = 32;
    public static final int QP_TYPE = 52;
    public static final int SQ_SIG_ALL = 56;

    private QpInitAttr() {}

    public static void qpContext(long qpInitAttr, long value) {
        Memory.putLong(qpInitAttr + QP_CONTEXT, value);
    }

    public static void sendCq(long qpInitAttr, long value) {
        Memory.putLong(qpInitAttr + SEND_CQ, value);
    }

    public static void recvCq(long qpInitAttr, long value) {
        Memory.putLong(qpInitAttr + RECV_CQ, value);
    }

    public static void srq(long qpInitAttr, long value) {
        Memory.putLong(qpInitAttr + SRQ, value);
    }

    public static void qpType(long qpInitAttr, int value) {
        Memory.putInt(qpInitAttr + QP_TYPE, value);
    }

    public static void sqSigAll(long qpInitAttr, int value) {
        Memory.putInt(qpInitAttr + SQ_SIG_ALL, value);
    }
}
