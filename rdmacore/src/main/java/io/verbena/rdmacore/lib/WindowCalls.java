package io.verbena.rdmacore.lib;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/// A driver's functions for memory windows, which C headers call inline. Each takes the function as first argument;
/// results as in [IbVerbs].
public final class WindowCalls {
    private static final MethodHandle ALLOC_MW = Calls.byAddressWithErrno(JAVA_LONG, JAVA_LONG, JAVA_INT);
    private static final MethodHandle BIND_MW = Calls.byAddress(JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG);
    private static final MethodHandle DEALLOC_MW = Calls.byAddress(JAVA_INT, JAVA_LONG);

    private WindowCalls() {}

    public static long allocMw(MemorySegment function, long pd, int type) {
        MemorySegment state = CallState.mine();
        try {
            return CallState.pointer(state, (long) ALLOC_MW.invokeExact(function, state, pd, type));
        } catch (Throwable e) {
            throw Calls.unexpected(e);
        }
    }

    public static int bindMw(MemorySegment function, long qp, long mw, long bind) {
        try {
            return (int) BIND_MW.invokeExact(function, qp, mw, bind);
        } catch (Throwable e) {
            throw Calls.unexpected(e);
        }
    }

    public static int deallocMw(MemorySegment function, long mw) {
        try {
            return (int) DEALLOC_MW.invokeExact(function, mw);
        } catch (Throwable e) {
            throw Calls.unexpected(e);
        }
    }
}
