package io.verbena.rdmacore.layout;

import io.verbena.rdmacore.lib.Memory;

/// `struct rdma_cm_join_mc_attr_ex`.
public final class RdmaCmJoinMcAttrEx {
    public static final int SIZE = 16;

    static final int COMP_MASK = 0;
    static final int JOIN_FLAGS = 4;
    static final int ADDR = 8;

    /// The bits of the mask and the flags.
    private static final class Values {
        static final int HAS_ADDRESS_AND_FLAGS = 1 | 2;
        static final int FULL_MEMBER = 0;
        static final int SEND_ONLY_FULL_MEMBER = 1;
    }

    private RdmaCmJoinMcAttrEx() {}

    public static void put(long attributes, long socketAddress, boolean sendOnly) {
        Memory.putInt(attributes + COMP_MASK, Values.HAS_ADDRESS_AND_FLAGS);
        Memory.putInt(attributes + JOIN_FLAGS, sendOnly ? Values.SEND_ONLY_FULL_MEMBER : Values.FULL_MEMBER);
        Memory.putLong(attributes + ADDR, socketAddress);
    }
}
