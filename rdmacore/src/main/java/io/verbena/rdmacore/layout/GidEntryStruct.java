package io.verbena.rdmacore.layout;

import io.verbena.rdmacore.lib.Memory;

/// A row of the GID table. Counterpart of `struct ibv_gid_entry`.
public final class GidEntryStruct {
    public static final int SIZE = 32;

    public static final int GID = 0;
    public static final int GID_INDEX = 16;
    public static final int PORT_NUM = 20;
    public static final int GID_TYPE = 24;

    private GidEntryStruct() {}

    public static int gidIndex(long gidEntry) {
        return Memory.getInt(gidEntry + GID_INDEX);
    }

    public static int portNum(long gidEntry) {
        return Memory.getInt(gidEntry + PORT_NUM);
    }

    public static int gidType(long gidEntry) {
        return Memory.getInt(gidEntry + GID_TYPE);
    }
}
