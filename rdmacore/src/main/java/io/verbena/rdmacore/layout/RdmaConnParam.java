package io.verbena.rdmacore.layout;

import io.verbena.rdmacore.lib.Memory;
import io.verbena.verbs.cm.ConnectionParameters;

/// `struct rdma_conn_param`.
public final class RdmaConnParam {
    public static final long SIZE = 24;

    static final long PRIVATE_DATA = 0;
    static final long PRIVATE_DATA_LENGTH = 8;
    static final long RESPONDER_RESOURCES = 9;
    static final long INITIATOR_DEPTH = 10;
    static final long FLOW_CONTROL = 11;
    static final long RETRY_COUNT = 12;
    static final long RNR_RETRY_COUNT = 13;
    static final long SRQ = 14;
    static final long QP_NUMBER = 16;

    private RdmaConnParam() {}

    /// Writes all but the private data, whose bytes the caller has put at `data`.
    public static void put(long param, ConnectionParameters values, long data, int length) {
        Memory.clear(param, SIZE);
        Memory.putLong(param + PRIVATE_DATA, length == 0 ? 0 : data);
        Memory.putByte(param + PRIVATE_DATA_LENGTH, (byte) length);
        Memory.putByte(param + RESPONDER_RESOURCES, (byte) values.responderResources());
        Memory.putByte(param + INITIATOR_DEPTH, (byte) values.initiatorDepth());
        Memory.putByte(param + FLOW_CONTROL, (byte) (values.flowControl() ? 1 : 0));
        Memory.putByte(param + RETRY_COUNT, (byte) values.retryCount());
        Memory.putByte(param + RNR_RETRY_COUNT, (byte) values.rnrRetryCount());
        Memory.putByte(param + SRQ, (byte) (values.srq() ? 1 : 0));
        Memory.putInt(param + QP_NUMBER, values.qpNumber());
    }

    public static ConnectionParameters get(long param) {
        return new ConnectionParameters(
                PrivateData.get(param + PRIVATE_DATA, param + PRIVATE_DATA_LENGTH),
                unsigned(param + RESPONDER_RESOURCES),
                unsigned(param + INITIATOR_DEPTH),
                Memory.getByte(param + FLOW_CONTROL) != 0,
                unsigned(param + RETRY_COUNT),
                unsigned(param + RNR_RETRY_COUNT),
                Memory.getInt(param + QP_NUMBER),
                Memory.getByte(param + SRQ) != 0);
    }

    private static int unsigned(long address) {
        return Byte.toUnsignedInt(Memory.getByte(address));
    }
}
