package io.verbena.rdmacore.layout;

/// The options of a new shared receive queue; [SrqAttr] is at `ATTR`. Counterpart of `struct ibv_srq_init_attr`.
public final class SrqInitAttr {
    public static final int SIZE = 24;

    public static final int SRQ_CONTEXT = 0;
    public static final int ATTR = 8;

    private SrqInitAttr() {}
}
