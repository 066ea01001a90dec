package io.verbena.rdmacore.layout;

import io.verbena.rdmacore.lib.Memory;

/// A completion channel. Counterpart of `struct ibv_comp_channel`.
public final class CompChannel {
    public static final int SIZE = 16;

    public static final int FD = 8;

    private CompChannel() {}

    public static int fd(long compChannel) {
        return Memory.getInt(compChannel + FD);
    }
}
