package io.verbena.rdmacore.layout;

import io.verbena.rdmacore.lib.Memory;

/// An event channel. Counterpart of `struct rdma_event_channel`.
public final class RdmaEventChannel {
    public static final int SIZE = 4;

    static final int FD = 0;

    private RdmaEventChannel() {}

    public static int fd(long channel) {
        return Memory.getInt(channel + FD);
    }
}
