package io.verbena.rdmacore.layout;

import io.verbena.rdmacore.lib.Memory;

/// An asynchronous event. Counterpart of `struct ibv_async_event`.
public final class AsyncEventStruct {
    public static final int SIZE = 16;

    public static final int ELEMENT_CQ = 0;
    public static final int ELEMENT_QP = 0;
    public static final int ELEMENT_PORT_NUM = 0;
    public static final int EVENT_TYPE = 8;

    private AsyncEventStruct() {}

    public static long elementQp(long event) {
        return Memory.getLong(event + ELEMENT_QP);
    }

    public static int elementPortNum(long event) {
        return Memory.getInt(event + ELEMENT_PORT_NUM);
    }

    public static int eventType(long event) {
        return Memory.getInt(event + EVENT_TYPE);
    }
}
