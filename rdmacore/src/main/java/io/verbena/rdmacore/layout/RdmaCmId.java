package io.verbena.rdmacore.layout;

import io.verbena.rdmacore.lib.Memory;

/// `struct rdma_cm_id`, as far as it is read here: librdmacm makes it and fills it in.
public final class RdmaCmId {
    public static final int SIZE = 416;

    static final int VERBS = 0;
    static final int ROUTE_ADDR_SRC_STORAGE = 32;
    static final int ROUTE_ADDR_DST_STORAGE = 160;
    static final int PS = 344;
    static final int PORT_NUM = 348;

    private RdmaCmId() {}

    /// The `ibv_context` in use, or 0.
    public static long verbs(long id) {
        return Memory.getLong(id + VERBS);
    }

    /// Where its own `sockaddr` is; the family is 0 before there is one.
    public static long source(long id) {
        return id + ROUTE_ADDR_SRC_STORAGE;
    }

    /// Where the peer's `sockaddr` is.
    public static long destination(long id) {
        return id + ROUTE_ADDR_DST_STORAGE;
    }

    public static int portSpace(long id) {
        return Memory.getInt(id + PS);
    }

    public static int portNumber(long id) {
        return Byte.toUnsignedInt(Memory.getByte(id + PORT_NUM));
    }
}
