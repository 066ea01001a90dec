package io.verbena.rdmacore.layout;

import io.verbena.rdmacore.layout.StructField.U32;

/// An event channel. Counterpart of `struct rdma_event_channel`.
public final class RdmaEventChannel {
    public static final int SIZE = 4;

    public static final U32 FD = new U32(0);

    private RdmaEventChannel() {}
}
