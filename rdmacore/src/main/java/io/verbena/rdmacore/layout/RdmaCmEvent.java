package io.verbena.rdmacore.layout;

import io.verbena.rdmacore.lib.Memory;

/// `struct rdma_cm_event`.
public final class RdmaCmEvent {
    public static final int SIZE = 80;

    static final int ID = 0;
    static final int LISTEN_ID = 8;
    static final int EVENT = 16;
    static final int STATUS = 20;
    static final int PARAM = 24;

    private RdmaCmEvent() {}

    public static long id(long event) {
        return Memory.getLong(event + ID);
    }

    /// 0 unless it is a connection request.
    public static long listenId(long event) {
        return Memory.getLong(event + LISTEN_ID);
    }

    /// A number of `enum rdma_cm_event_type`.
    public static int type(long event) {
        return Memory.getInt(event + EVENT);
    }

    public static int status(long event) {
        return Memory.getInt(event + STATUS);
    }

    /// Where its [RdmaConnParam] or [RdmaUdParam] is.
    public static long parameters(long event) {
        return event + PARAM;
    }
}
