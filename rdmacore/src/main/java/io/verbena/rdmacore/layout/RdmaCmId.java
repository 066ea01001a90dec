package io.verbena.rdmacore.layout;

import io.verbena.rdmacore.layout.StructField.U32;
import io.verbena.rdmacore.layout.StructField.U64;
import io.verbena.rdmacore.layout.StructField.U8;

/// `struct rdma_cm_id`, as far as it is read here: librdmacm makes it and fills it in.
public final class RdmaCmId {
    public static final int SIZE = 416;

    /// The `ibv_context` in use, or 0.
    public static final U64 VERBS = new U64(0);
    static final int ROUTE_ADDR_SRC_STORAGE = 32;
    static final int ROUTE_ADDR_DST_STORAGE = 160;
    public static final U32 PS = new U32(344);
    public static final U8 PORT_NUM = new U8(348);

    private RdmaCmId() {}

    /// Where its own `sockaddr` is; the family is 0 before there is one.
    public static long source(long id) {
        return id + ROUTE_ADDR_SRC_STORAGE;
    }

    /// Where the peer's `sockaddr` is.
    public static long destination(long id) {
        return id + ROUTE_ADDR_DST_STORAGE;
    }
}
