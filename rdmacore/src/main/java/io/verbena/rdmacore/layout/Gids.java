package io.verbena.rdmacore.layout;

import io.verbena.rdmacore.lib.Memory;
import io.verbena.verbs.attr.Gid;

/// 16 bytes in network order. Counterpart of `union ibv_gid`.
public final class Gids {
    public static final int SIZE = 16;

    private Gids() {}

    public static Gid get(long address) {
        return new Gid(Memory.getBigEndianLong(address), Memory.getBigEndianLong(address + 8));
    }

    public static void put(long address, Gid gid) {
        Memory.putBigEndianLong(address, gid.high());
        Memory.putBigEndianLong(address + 8, gid.low());
    }
}
