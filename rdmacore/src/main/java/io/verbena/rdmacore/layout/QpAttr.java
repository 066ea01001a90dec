package io.verbena.rdmacore.layout;

import io.verbena.rdmacore.lib.Memory;

/// The attributes of a queue pair; an [AhAttr] is at `AH_ATTR`, a [QpCap] at `CAP`. Counterpart of `struct
/// ibv_qp_attr`.
public final class QpAttr {
    public static final int SIZE = 144;

    public static final int QP_STATE = 0;
    public static final int CUR_QP_STATE = 4;
    public static final int PATH_MTU = 8;
    public static final int QKEY = 16;
    public static final int RQ_PSN = 20;
    public static final int SQ_PSN = 24;
    public static final int DEST_QP_NUM = 28;
    public static final int QP_ACCESS_FLAGS = 32;
    public static final int CAP = 36;
    public static final int AH_ATTR = 56;
    public static final int PKEY_INDEX = 120;
    public static final int EN_SQD_ASYNC_NOTIFY = 124;
    public static final int SQ_DRAINING = 125;
    public static final int MAX_RD_ATOMIC = 126;
    public static final int MAX_DEST_RD_ATOMIC = 127;
    public static final int MIN_RNR_TIMER = 128;
    public static final int PORT_NUM = 129;
    public static final int TIMEOUT = 130;
    public static final int RETRY_CNT = 131;
    public static final int RNR_RETRY = 132;

    private QpAttr() {}

    public static int qpState(long qpAttr) {
        return Memory.getInt(qpAttr + QP_STATE);
    }

    public static void qpState(long qpAttr, int value) {
        Memory.putInt(qpAttr + QP_STATE, value);
    }

    public static void curQpState(long qpAttr, int value) {
        Memory.putInt(qpAttr + CUR_QP_STATE, value);
    }

    public static int pathMtu(long qpAttr) {
        return Memory.getInt(qpAttr + PATH_MTU);
    }

    public static void pathMtu(long qpAttr, int value) {
        Memory.putInt(qpAttr + PATH_MTU, value);
    }

    public static int qkey(long qpAttr) {
        return Memory.getInt(qpAttr + QKEY);
    }

    public static void qkey(long qpAttr, int value) {
        Memory.putInt(qpAttr + QKEY, value);
    }

    public static int rqPsn(long qpAttr) {
        return Memory.getInt(qpAttr + RQ_PSN);
    }

    public static void rqPsn(long qpAttr, int value) {
        Memory.putInt(qpAttr + RQ_PSN, value);
    }

    public static int sqPsn(long qpAttr) {
        return Memory.getInt(qpAttr + SQ_PSN);
    }

    public static void sqPsn(long qpAttr, int value) {
        Memory.putInt(qpAttr + SQ_PSN, value);
    }

    public static int destQpNum(long qpAttr) {
        return Memory.getInt(qpAttr + DEST_QP_NUM);
    }

    public static void destQpNum(long qpAttr, int value) {
        Memory.putInt(qpAttr + DEST_QP_NUM, value);
    }

    public static int qpAccessFlags(long qpAttr) {
        return Memory.getInt(qpAttr + QP_ACCESS_FLAGS);
    }

    public static void qpAccessFlags(long qpAttr, int value) {
        Memory.putInt(qpAttr + QP_ACCESS_FLAGS, value);
    }

    public static int pkeyIndex(long qpAttr) {
        return Memory.getShort(qpAttr + PKEY_INDEX) & 0xFFFF;
    }

    public static void pkeyIndex(long qpAttr, int value) {
        Memory.putShort(qpAttr + PKEY_INDEX, (short) value);
    }

    public static void enSqdAsyncNotify(long qpAttr, int value) {
        Memory.putByte(qpAttr + EN_SQD_ASYNC_NOTIFY, (byte) value);
    }

    public static int sqDraining(long qpAttr) {
        return Memory.getByte(qpAttr + SQ_DRAINING) & 0xFF;
    }

    public static int maxRdAtomic(long qpAttr) {
        return Memory.getByte(qpAttr + MAX_RD_ATOMIC) & 0xFF;
    }

    public static void maxRdAtomic(long qpAttr, int value) {
        Memory.putByte(qpAttr + MAX_RD_ATOMIC, (byte) value);
    }

    public static int maxDestRdAtomic(long qpAttr) {
        return Memory.getByte(qpAttr + MAX_DEST_RD_ATOMIC) & 0xFF;
    }

    public static void maxDestRdAtomic(long qpAttr, int value) {
        Memory.putByte(qpAttr + MAX_DEST_RD_ATOMIC, (byte) value);
    }

    public static int minRnrTimer(long qpAttr) {
        return Memory.getByte(qpAttr + MIN_RNR_TIMER) & 0xFF;
    }

    public static void minRnrTimer(long qpAttr, int value) {
        Memory.putByte(qpAttr + MIN_RNR_TIMER, (byte) value);
    }

    public static int portNum(long qpAttr) {
        return Memory.getByte(qpAttr + PORT_NUM) & 0xFF;
    }

    public static void portNum(long qpAttr, int value) {
        Memory.putByte(qpAttr + PORT_NUM, (byte) value);
    }

    public static int timeout(long qpAttr) {
        return Memory.getByte(qpAttr + TIMEOUT) & 0xFF;
    }

    public static void timeout(long qpAttr, int value) {
        Memory.putByte(qpAttr + TIMEOUT, (byte) value);
    }

    public static int retryCnt(long qpAttr) {
        return Memory.getByte(qpAttr + RETRY_CNT) & 0xFF;
    }

    public static void retryCnt(long qpAttr, int value) {
        Memory.putByte(qpAttr + RETRY_CNT, (byte) value);
    }

    public static int rnrRetry(long qpAttr) {
        return Memory.getByte(qpAttr + RNR_RETRY) & 0xFF;
    }

    public static void rnrRetry(long qpAttr, int value) {
        Memory.putByte(qpAttr + RNR_RETRY, (byte) value);
    }
}
