package io.verbena.rdmacore.layout;

import io.verbena.rdmacore.layout.StructField.U32;
import io.verbena.rdmacore.layout.StructField.U64;

/// The options of a new queue pair; [QpCap] is at `CAP`. Counterpart of `struct ibv_qp_init_attr`.
public final class QpInitAttr {
    public static final int SIZE = 64;

    public static final U64 QP_CONTEXT = new U64(0);
    public static final U64 SEND_CQ = new U64(8);
    public static final U64 RECV_CQ = new U64(16);
    public static final U64 SRQ = new U64(24);
    public static final int CAP = 32;
    public static final U32 QP_TYPE = new U32(52);
    public static final U32 SQ_SIG_ALL = new U32(56);

    private QpInitAttr() {}
}
