package io.verbena.rdmacore.layout;

import io.verbena.rdmacore.lib.Memory;

/// A piece of local memory. Counterpart of `struct ibv_sge`.
public final class Sge {
    public static final int SIZE = 16;

    public static final int ADDR = 0;
    public static final int LENGTH = 8;
    public static final int LKEY = 12;

    private Sge() {}

    public static void addr(long sge, long value) {
        Memory.putLong(sge + ADDR, value);
    }

    public static void length(long sge, int value) {
        Memory.putInt(sge + LENGTH, value);
    }

    public static void lkey(long sge, int value) {
        Memory.putInt(sge + LKEY, value);
    }
}
