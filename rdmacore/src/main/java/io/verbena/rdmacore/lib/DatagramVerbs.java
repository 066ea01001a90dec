package io.verbena.rdmacore.lib;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/// The functions of libibverbs for datagrams: address handles and multicast groups; results as in [IbVerbs].
public final class DatagramVerbs {
    private static final Library LIBRARY = Libraries.IBVERBS.require();

    private static final MethodHandle CREATE_AH = LIBRARY.withErrno("ibv_create_ah", JAVA_LONG, JAVA_LONG, JAVA_LONG);
    private static final MethodHandle INIT_AH_FROM_WC =
            LIBRARY.withErrno("ibv_init_ah_from_wc", JAVA_INT, JAVA_LONG, JAVA_BYTE, JAVA_LONG, JAVA_LONG, JAVA_LONG);
    private static final MethodHandle DESTROY_AH = LIBRARY.plain("ibv_destroy_ah", JAVA_INT, JAVA_LONG);
    private static final MethodHandle ATTACH_MCAST =
            LIBRARY.plain("ibv_attach_mcast", JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_SHORT);
    private static final MethodHandle DETACH_MCAST =
            LIBRARY.plain("ibv_detach_mcast", JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_SHORT);

    private DatagramVerbs() {}

    public static long createAh(long pd, long attr) {
        MemorySegment state = CallState.mine();
        try {
            return CallState.pointer(state, (long) CREATE_AH.invokeExact(state, pd, attr));
        } catch (Throwable e) {
            throw Calls.unexpected(e);
        }
    }

    /// Fills in the address of the sender of a received datagram.
    public static int initAhFromWc(long context, byte port, long wc, long grh, long attr) {
        MemorySegment state = CallState.mine();
        try {
            return CallState.result(state, (int) INIT_AH_FROM_WC.invokeExact(state, context, port, wc, grh, attr));
        } catch (Throwable e) {
            throw Calls.unexpected(e);
        }
    }

    public static int destroyAh(long ah) {
        try {
            return (int) DESTROY_AH.invokeExact(ah);
        } catch (Throwable e) {
            throw Calls.unexpected(e);
        }
    }

    public static int attachMcast(long qp, long gid, short lid) {
        try {
            return (int) ATTACH_MCAST.invokeExact(qp, gid, lid);
        } catch (Throwable e) {
            throw Calls.unexpected(e);
        }
    }

    public static int detachMcast(long qp, long gid, short lid) {
        try {
            return (int) DETACH_MCAST.invokeExact(qp, gid, lid);
        } catch (Throwable e) {
            throw Calls.unexpected(e);
        }
    }
}
