package io.verbena.rdmacore.lib;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/// Calls into a driver's own functions, which C headers make inline: the data path. Each takes the function as first
/// argument; [io.verbena.rdmacore.layout.ContextOps] has them. None captures `errno`, so none allocates.
///
/// No call is linked as critical: posting enters the kernel in some drivers, and polling takes a lock of the
/// driver's, which a thread may hold that the JVM has stopped.
public final class DriverCalls {
    private static final MethodHandle POST = Calls.byAddress(JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG);
    private static final MethodHandle POLL_CQ = Calls.byAddress(JAVA_INT, JAVA_LONG, JAVA_INT, JAVA_LONG);
    private static final MethodHandle REQ_NOTIFY_CQ = Calls.byAddress(JAVA_INT, JAVA_LONG, JAVA_INT);
    private static final MethodHandle QUERY_PORT =
            Calls.byAddress(JAVA_INT, JAVA_LONG, JAVA_BYTE, JAVA_LONG, JAVA_LONG);
    private static final MethodHandle QUERY_DEVICE_EX =
            Calls.byAddress(JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG);

    private DriverCalls() {}

    /// `post_send`, `post_recv` and `post_srq_recv` alike: a queue, the first of a chain of requests, and where the
    /// address of a refused one goes. 0 or the error number.
    public static int post(MemorySegment function, long queue, long firstRequest, long badRequest) {
        try {
            return (int) POST.invokeExact(function, queue, firstRequest, badRequest);
        } catch (Throwable e) {
            throw Calls.unexpected(e);
        }
    }

    /// How many completions were written to `completions`; negative for an error.
    public static int pollCq(MemorySegment function, long cq, int limit, long completions) {
        try {
            return (int) POLL_CQ.invokeExact(function, cq, limit, completions);
        } catch (Throwable e) {
            throw Calls.unexpected(e);
        }
    }

    /// 0 or the error number.
    public static int reqNotifyCq(MemorySegment function, long cq, int solicitedOnly) {
        try {
            return (int) REQ_NOTIFY_CQ.invokeExact(function, cq, solicitedOnly);
        } catch (Throwable e) {
            throw Calls.unexpected(e);
        }
    }

    /// 0 or the error number; fills in `bytes` bytes, with 0 what the driver does not know.
    public static int queryPort(MemorySegment function, long context, byte port, long attr, long bytes) {
        try {
            return (int) QUERY_PORT.invokeExact(function, context, port, attr, bytes);
        } catch (Throwable e) {
            throw Calls.unexpected(e);
        }
    }

    /// 0 or the error number.
    public static int queryDeviceEx(MemorySegment function, long context, long input, long attr, long bytes) {
        try {
            return (int) QUERY_DEVICE_EX.invokeExact(function, context, input, attr, bytes);
        } catch (Throwable e) {
            throw Calls.unexpected(e);
        }
    }
}
