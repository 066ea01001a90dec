package io.verbena.rdmacore.layout;

import io.verbena.rdmacore.lib.Memory;

/// A queue pair that takes requests by calls instead of by structs; the functions of its driver are in it. `WR_FLUSH`
/// is there since rdma-core 65 only: what older drivers have at that place is their own. Counterpart of `struct
/// ibv_qp_ex`.
public final class QpEx {
    public static final int WR_ID = 168 + Architecture.MUTEX_EXTRA;
    public static final int WR_FLAGS = 176 + Architecture.MUTEX_EXTRA;
    public static final int WR_START = 320 + Architecture.MUTEX_EXTRA;
    public static final int WR_COMPLETE = 328 + Architecture.MUTEX_EXTRA;
    public static final int WR_ATOMIC_WRITE = 344 + Architecture.MUTEX_EXTRA;
    public static final int WR_FLUSH = 352 + Architecture.MUTEX_EXTRA;

    private QpEx() {}

    public static void wrId(long qpEx, long value) {
        Memory.putLong(qpEx + WR_ID, value);
    }

    public static void wrFlags(long qpEx, int value) {
        Memory.putInt(qpEx + WR_FLAGS, value);
    }

    public static long wrStart(long qpEx) {
        return Memory.getLong(qpEx + WR_START);
    }

    public static long wrComplete(long qpEx) {
        return Memory.getLong(qpEx + WR_COMPLETE);
    }

    public static long wrAtomicWrite(long qpEx) {
        return Memory.getLong(qpEx + WR_ATOMIC_WRITE);
    }

    public static long wrFlush(long qpEx) {
        return Memory.getLong(qpEx + WR_FLUSH);
    }
}
