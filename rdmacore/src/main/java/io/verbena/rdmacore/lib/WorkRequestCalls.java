package io.verbena.rdmacore.lib;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/// Posting by calls, `ibv_wr_start` to `ibv_wr_complete`, for the operations that have no struct. Each takes the
/// function as first argument; [io.verbena.rdmacore.layout.QpEx] has them.
public final class WorkRequestCalls {
    private static final MethodHandle CREATE_QP_EX = Calls.byAddressWithErrno(JAVA_LONG, JAVA_LONG, JAVA_LONG);
    private static final MethodHandle START = Calls.voidByAddress(JAVA_LONG);
    private static final MethodHandle COMPLETE = Calls.byAddress(JAVA_INT, JAVA_LONG);
    private static final MethodHandle ATOMIC_WRITE = Calls.voidByAddress(JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_LONG);
    private static final MethodHandle FLUSH =
            Calls.voidByAddress(JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_BYTE, JAVA_BYTE);

    private WorkRequestCalls() {}

    /// A queue pair made with the operations it will post; result as in [IbVerbs].
    public static long createQpEx(MemorySegment function, long context, long attr) {
        MemorySegment state = CallState.mine();
        try {
            return CallState.pointer(state, (long) CREATE_QP_EX.invokeExact(function, state, context, attr));
        } catch (Throwable e) {
            throw Calls.unexpected(e);
        }
    }

    /// Takes the driver's lock of the send queue, until [#complete].
    public static void start(MemorySegment function, long qpEx) {
        try {
            START.invokeExact(function, qpEx);
        } catch (Throwable e) {
            throw Calls.unexpected(e);
        }
    }

    /// 0 or the error number of what was called since [#start]; then nothing of it was posted.
    public static int complete(MemorySegment function, long qpEx) {
        try {
            return (int) COMPLETE.invokeExact(function, qpEx);
        } catch (Throwable e) {
            throw Calls.unexpected(e);
        }
    }

    /// `data`: 8 bytes, copied at once.
    public static void atomicWrite(MemorySegment function, long qpEx, int rkey, long remoteAddress, long data) {
        try {
            ATOMIC_WRITE.invokeExact(function, qpEx, rkey, remoteAddress, data);
        } catch (Throwable e) {
            throw Calls.unexpected(e);
        }
    }

    /// `types`: how far the data must have come; `level`: 0 for the range, 1 for all of the region.
    public static void flush(
            MemorySegment function, long qpEx, int rkey, long remoteAddress, long length, byte types, byte level) {
        try {
            FLUSH.invokeExact(function, qpEx, rkey, remoteAddress, length, types, level);
        } catch (Throwable e) {
            throw Calls.unexpected(e);
        }
    }
}
