package io.verbena.rdmacore.lib;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.invoke.MethodHandle;

/// The functions of libibverbs for queue pairs that take requests by calls.
public final class ExtendedVerbs {
    private static final Library LIBRARY = Libraries.IBVERBS.require();

    private static final MethodHandle QP_TO_QP_EX = LIBRARY.plain("ibv_qp_to_qp_ex", JAVA_LONG, JAVA_LONG);

    private ExtendedVerbs() {}

    /// Whether this release of rdma-core knows FLUSH: the structs do not show it, but this function was added with it.
    public static boolean knowFlush() {
        return LIBRARY.has("ibv_create_comp_cntr");
    }

    /// The same queue pair as one that takes requests by calls; 0 when its driver made it without.
    public static long qpToQpEx(long qp) {
        try {
            return (long) QP_TO_QP_EX.invokeExact(qp);
        } catch (Throwable e) {
            throw Calls.unexpected(e);
        }
    }
}
