package io.verbena.rdmacore.layout;

import io.verbena.rdmacore.layout.StructField.U32;
import io.verbena.rdmacore.layout.StructField.U64;

/// `struct rdma_cm_event`.
public final class RdmaCmEvent {
    public static final int SIZE = 80;

    public static final U64 ID = new U64(0);
    /// 0 unless it is a connection request.
    public static final U64 LISTEN_ID = new U64(8);
    /// A number of `enum rdma_cm_event_type`.
    public static final U32 EVENT = new U32(16);
    public static final U32 STATUS = new U32(20);
    static final int PARAM = 24;

    private RdmaCmEvent() {}

    /// Where its [RdmaConnParam] or [RdmaUdParam] is.
    public static long parameters(long event) {
        return event + PARAM;
    }
}
