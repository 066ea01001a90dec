package io.verbena.rdmacore.layout;

import io.verbena.rdmacore.layout.StructField.U32;
import io.verbena.rdmacore.layout.StructField.U64;

/// An asynchronous event. Counterpart of `struct ibv_async_event`.
public final class AsyncEventStruct {
    public static final int SIZE = 16;

    public static final int ELEMENT_CQ = 0;
    public static final U64 ELEMENT_QP = new U64(0);
    public static final U32 ELEMENT_PORT_NUM = new U32(0);
    public static final U32 EVENT_TYPE = new U32(8);

    private AsyncEventStruct() {}
}
