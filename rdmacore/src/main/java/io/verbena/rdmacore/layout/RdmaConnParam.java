package io.verbena.rdmacore.layout;

import io.verbena.rdmacore.lib.Memory;
import io.verbena.verbs.cm.ConnectionParameters;

/// `struct rdma_conn_param`.
public final class RdmaConnParam {
    public static final int SIZE = 24;

    static final int PRIVATE_DATA = 0;
    static final int PRIVATE_DATA_LEN = 8;
    static final int RESPONDER_RESOURCES = 9;
    static final int INITIATOR_DEPTH = 10;
    static final int FLOW_CONTROL = 11;
    static final int RETRY_COUNT = 12;
    static final int RNR_RETRY_COUNT = 13;
    static final int SRQ = 14;
    static final int QP_NUM = 16;

    private RdmaConnParam() {}

    /// Writes all but the private data, whose bytes the caller has put at `data`.
    public static void put(long param, ConnectionParameters values, long data, int length) {
        Memory.clear(param, SIZE);
        Memory.putLong(param + PRIVATE_DATA, length == 0 ? 0 : data);
        Memory.putByte(param + PRIVATE_DATA_LEN, (byte) length);
        Memory.putByte(param + RESPONDER_RESOURCES, (byte) values.responderResources());
        Memory.putByte(param + INITIATOR_DEPTH, (byte) values.initiatorDepth());
        Memory.putByte(param + FLOW_CONTROL, (byte) (values.flowControl() ? 1 : 0));
        Memory.putByte(param + RETRY_COUNT, (byte) values.retryCount());
        Memory.putByte(param + RNR_RETRY_COUNT, (byte) values.rnrRetryCount());
        Memory.putByte(param + SRQ, (byte) (values.srq() ? 1 : 0));
        Memory.putInt(param + QP_NUM, values.qpNumber());
    }

    public static ConnectionParameters get(long param) {
        return new ConnectionParameters(
                PrivateData.get(param + PRIVATE_DATA, param + PRIVATE_DATA_LEN),
                unsigned(param + RESPONDER_RESOURCES),
                unsigned(param + INITIATOR_DEPTH),
                Memory.getByte(param + FLOW_CONTROL) != 0,
                unsigned(param + RETRY_COUNT),
                unsigned(param + RNR_RETRY_COUNT),
                Memory.getInt(param + QP_NUM),
                Memory.getByte(param + SRQ) != 0);
    }

    private static int unsigned(long address) {
        return Byte.toUnsignedInt(Memory.getByte(address));
    }
}
