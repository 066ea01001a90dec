package io.verbena.rdmacore.layout;

import io.verbena.rdmacore.lib.Memory;

/// `struct rdma_ud_param`.
public final class RdmaUdParam {
    public static final int SIZE = 56;

    static final int PRIVATE_DATA = 0;
    static final int PRIVATE_DATA_LEN = 8;
    static final int AH_ATTR = 16;
    static final int QP_NUM = 48;
    static final int QKEY = 52;

    private RdmaUdParam() {}

    public static byte[] privateData(long param) {
        return PrivateData.get(param + PRIVATE_DATA, param + PRIVATE_DATA_LEN);
    }

    /// The pointer field of the private data; in multicast events it holds the number that the join was given.
    public static long privateDataPointer(long param) {
        return Memory.getLong(param + PRIVATE_DATA);
    }

    /// Where its `ibv_ah_attr` is.
    public static long address(long param) {
        return param + AH_ATTR;
    }

    public static int qpNumber(long param) {
        return Memory.getInt(param + QP_NUM);
    }

    public static int qkey(long param) {
        return Memory.getInt(param + QKEY);
    }
}
