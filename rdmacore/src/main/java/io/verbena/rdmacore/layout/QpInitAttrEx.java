package io.verbena.rdmacore.layout;

import io.verbena.rdmacore.layout.StructField.U32;
import io.verbena.rdmacore.layout.StructField.U64;

/// The fields after [QpInitAttr] in the extended struct. Counterpart of `struct ibv_qp_init_attr_ex`.
public final class QpInitAttrEx {
    public static final int SIZE = 136;

    public static final U32 COMP_MASK = new U32(60);
    public static final U64 PD = new U64(64);
    public static final U64 SEND_OPS_FLAGS = new U64(128);

    private QpInitAttrEx() {}
}
