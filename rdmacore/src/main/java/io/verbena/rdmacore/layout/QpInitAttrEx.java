package io.verbena.rdmacore.layout;

import io.verbena.rdmacore.lib.Memory;

/// The fields after [QpInitAttr] in the extended struct. Counterpart of `struct ibv_qp_init_attr_ex`.
public final class QpInitAttrEx {
    public static final int SIZE = 136;

    public static final int COMP_MASK = 60;
    public static final int PD = 64;
    public static final int SEND_OPS_FLAGS = 128;

    private QpInitAttrEx() {}

    public static void compMask(long qpInitAttrEx, int value) {
        Memory.putInt(qpInitAttrEx + COMP_MASK, value);
    }

    public static void pd(long qpInitAttrEx, long value) {
        Memory.putLong(qpInitAttrEx + PD, value);
    }

    public static void sendOpsFlags(long qpInitAttrEx, long value) {
        Memory.putLong(qpInitAttrEx + SEND_OPS_FLAGS, value);
    }
}
