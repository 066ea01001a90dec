package io.verbena.rdmacore.layout;

import io.verbena.rdmacore.layout.StructField.U32;
import io.verbena.rdmacore.layout.StructField.U64;
import io.verbena.rdmacore.layout.StructField.U8;

/// `struct rdma_ud_param`.
public final class RdmaUdParam {
    public static final int SIZE = 56;

    /// The pointer field of the private data; in multicast events it holds the number that the join was given.
    public static final U64 PRIVATE_DATA = new U64(0);
    static final U8 PRIVATE_DATA_LEN = new U8(8);
    static final int AH_ATTR = 16;
    public static final U32 QP_NUM = new U32(48);
    public static final U32 QKEY = new U32(52);

    private RdmaUdParam() {}

    public static byte[] privateData(long param) {
        return PrivateData.get(PRIVATE_DATA.get(param), PRIVATE_DATA_LEN.get(param));
    }

    /// Where its `ibv_ah_attr` is.
    public static long address(long param) {
        return param + AH_ATTR;
    }
}
