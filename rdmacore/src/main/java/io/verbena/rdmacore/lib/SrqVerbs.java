package io.verbena.rdmacore.lib;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/// The functions of libibverbs for shared receive queues; results as in [IbVerbs].
public final class SrqVerbs {
    private static final Library LIBRARY = Libraries.IBVERBS.require();

    private static final MethodHandle CREATE_SRQ = LIBRARY.withErrno("ibv_create_srq", JAVA_LONG, JAVA_LONG, JAVA_LONG);
    private static final MethodHandle MODIFY_SRQ =
            LIBRARY.plain("ibv_modify_srq", JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_INT);
    private static final MethodHandle QUERY_SRQ = LIBRARY.plain("ibv_query_srq", JAVA_INT, JAVA_LONG, JAVA_LONG);
    private static final MethodHandle DESTROY_SRQ = LIBRARY.plain("ibv_destroy_srq", JAVA_INT, JAVA_LONG);

    private SrqVerbs() {}

    public static long create(long pd, long initAttr) {
        MemorySegment state = CallState.mine();
        try {
            return CallState.pointer(state, (long) CREATE_SRQ.invokeExact(state, pd, initAttr));
        } catch (Throwable e) {
            throw Calls.unexpected(e);
        }
    }

    public static int modify(long srq, long attr, int mask) {
        try {
            return (int) MODIFY_SRQ.invokeExact(srq, attr, mask);
        } catch (Throwable e) {
            throw Calls.unexpected(e);
        }
    }

    public static int query(long srq, long attr) {
        try {
            return (int) QUERY_SRQ.invokeExact(srq, attr);
        } catch (Throwable e) {
            throw Calls.unexpected(e);
        }
    }

    public static int destroy(long srq) {
        try {
            return (int) DESTROY_SRQ.invokeExact(srq);
        } catch (Throwable e) {
            throw Calls.unexpected(e);
        }
    }
}
