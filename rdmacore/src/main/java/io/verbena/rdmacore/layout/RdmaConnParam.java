package io.verbena.rdmacore.layout;

import io.verbena.rdmacore.layout.StructField.U32;
import io.verbena.rdmacore.layout.StructField.U64;
import io.verbena.rdmacore.layout.StructField.U8;
import io.verbena.rdmacore.lib.Memory;
import io.verbena.verbs.cm.ConnectionParameters;

/// `struct rdma_conn_param`.
public final class RdmaConnParam {
    public static final int SIZE = 24;

    static final U64 PRIVATE_DATA = new U64(0);
    static final U8 PRIVATE_DATA_LEN = new U8(8);
    static final U8 RESPONDER_RESOURCES = new U8(9);
    static final U8 INITIATOR_DEPTH = new U8(10);
    static final U8 FLOW_CONTROL = new U8(11);
    static final U8 RETRY_COUNT = new U8(12);
    static final U8 RNR_RETRY_COUNT = new U8(13);
    static final U8 SRQ = new U8(14);
    static final U32 QP_NUM = new U32(16);

    private RdmaConnParam() {}

    /// Writes all but the private data, whose bytes the caller has put at `data`.
    public static void put(long param, ConnectionParameters values, long data, int length) {
        Memory.clear(param, SIZE);
        PRIVATE_DATA.set(param, length == 0 ? 0 : data);
        PRIVATE_DATA_LEN.set(param, length);
        RESPONDER_RESOURCES.set(param, values.responderResources());
        INITIATOR_DEPTH.set(param, values.initiatorDepth());
        FLOW_CONTROL.set(param, values.flowControl() ? 1 : 0);
        RETRY_COUNT.set(param, values.retryCount());
        RNR_RETRY_COUNT.set(param, values.rnrRetryCount());
        SRQ.set(param, values.srq() ? 1 : 0);
        QP_NUM.set(param, values.qpNumber());
    }

    public static ConnectionParameters get(long param) {
        return new ConnectionParameters(
                PrivateData.get(PRIVATE_DATA.get(param), PRIVATE_DATA_LEN.get(param)),
                RESPONDER_RESOURCES.get(param),
                INITIATOR_DEPTH.get(param),
                FLOW_CONTROL.get(param) != 0,
                RETRY_COUNT.get(param),
                RNR_RETRY_COUNT.get(param),
                QP_NUM.get(param),
                SRQ.get(param) != 0);
    }
}
