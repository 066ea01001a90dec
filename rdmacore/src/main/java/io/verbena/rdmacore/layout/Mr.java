package io.verbena.rdmacore.layout;

import io.verbena.rdmacore.lib.Memory;

/// A memory region. Counterpart of `struct ibv_mr`.
public final class Mr {
    public static final int SIZE = 48;

    public static final int LKEY = 36;
    public static final int RKEY = 40;

    private Mr() {}

    public static int lkey(long mr) {
        return Memory.getInt(mr + LKEY);
    }

    public static int rkey(long mr) {
        return Memory.getInt(mr + RKEY);
    }
}
