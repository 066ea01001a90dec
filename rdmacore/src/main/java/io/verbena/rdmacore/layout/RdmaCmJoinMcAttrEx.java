package io.verbena.rdmacore.layout;

import io.verbena.rdmacore.lib.Memory;

/// `struct rdma_cm_join_mc_attr_ex`.
public final class RdmaCmJoinMcAttrEx {
    public static final long SIZE = 16;

    static final long MASK = 0;
    static final long FLAGS = 4;
    static final long ADDRESS = 8;

    private static final int HAS_ADDRESS_AND_FLAGS = 1 | 2;
    private static final int FULL_MEMBER = 0;
    private static final int SEND_ONLY_FULL_MEMBER = 1;

    private RdmaCmJoinMcAttrEx() {}

    public static void put(long attributes, long socketAddress, boolean sendOnly) {
        Memory.putInt(attributes + MASK, HAS_ADDRESS_AND_FLAGS);
        Memory.putInt(attributes + FLAGS, sendOnly ? SEND_ONLY_FULL_MEMBER : FULL_MEMBER);
        Memory.putLong(attributes + ADDRESS, socketAddress);
    }
}
