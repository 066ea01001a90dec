package io.verbena.rdmacore.layout;

import io.verbena.rdmacore.lib.Memory;

/// A memory window. Counterpart of `struct ibv_mw`.
public final class Mw {
    public static final int SIZE = 32;

    public static final int CONTEXT = 0;
    public static final int RKEY = 16;
    public static final int TYPE = 24;

    private Mw() {}

    public static long context(long mw) {
        return Memory.getLong(mw + CONTEXT);
    }

    public static int rkey(long mw) {
        return Memory.getInt(mw + RKEY);
    }

    public static void rkey(long mw, int value) {
        Memory.putInt(mw + RKEY, value);
    }
}
