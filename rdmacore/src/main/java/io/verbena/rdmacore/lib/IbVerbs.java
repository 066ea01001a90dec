package io.verbena.rdmacore.lib;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/// The functions that libibverbs exports, under their own names. Pointers are longs.
///
/// Each returns, as its manual page says, one of three: a pointer, and in place of NULL the negated `errno` (no address
/// is negative); a number, and in place of -1 the negated `errno`; or 0, else the error number itself.
///
/// To be used only after the library was found: [Libraries#IBVERBS].
public final class IbVerbs {
    private static final Library LIBRARY = Libraries.IBVERBS.require();

    private static final MethodHandle GET_DEVICE_LIST = LIBRARY.withErrno("ibv_get_device_list", JAVA_LONG, JAVA_LONG);
    private static final MethodHandle FREE_DEVICE_LIST = LIBRARY.plain("ibv_free_device_list", null, JAVA_LONG);
    private static final MethodHandle GET_DEVICE_GUID = LIBRARY.plain("ibv_get_device_guid", JAVA_LONG, JAVA_LONG);
    private static final MethodHandle OPEN_DEVICE = LIBRARY.withErrno("ibv_open_device", JAVA_LONG, JAVA_LONG);
    private static final MethodHandle CLOSE_DEVICE = LIBRARY.plain("ibv_close_device", JAVA_INT, JAVA_LONG);
    private static final MethodHandle QUERY_DEVICE = LIBRARY.plain("ibv_query_device", JAVA_INT, JAVA_LONG, JAVA_LONG);
    private static final MethodHandle QUERY_PORT =
            LIBRARY.plain("ibv_query_port", JAVA_INT, JAVA_LONG, JAVA_BYTE, JAVA_LONG);
    private static final MethodHandle QUERY_GID =
            LIBRARY.withErrno("ibv_query_gid", JAVA_INT, JAVA_LONG, JAVA_BYTE, JAVA_INT, JAVA_LONG);
    private static final MethodHandle QUERY_GID_TABLE =
            LIBRARY.plain("_ibv_query_gid_table", JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_INT, JAVA_LONG);
    private static final MethodHandle QUERY_PKEY =
            LIBRARY.withErrno("ibv_query_pkey", JAVA_INT, JAVA_LONG, JAVA_BYTE, JAVA_INT, JAVA_LONG);
    private static final MethodHandle GET_ASYNC_EVENT =
            LIBRARY.withErrno("ibv_get_async_event", JAVA_INT, JAVA_LONG, JAVA_LONG);
    private static final MethodHandle ACK_ASYNC_EVENT = LIBRARY.plain("ibv_ack_async_event", null, JAVA_LONG);
    private static final MethodHandle ALLOC_PD = LIBRARY.withErrno("ibv_alloc_pd", JAVA_LONG, JAVA_LONG);
    private static final MethodHandle DEALLOC_PD = LIBRARY.plain("ibv_dealloc_pd", JAVA_INT, JAVA_LONG);
    private static final MethodHandle REG_MR =
            LIBRARY.withErrno("ibv_reg_mr_iova2", JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_INT);
    private static final MethodHandle REREG_MR =
            LIBRARY.withErrno("ibv_rereg_mr", JAVA_INT, JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_INT);
    private static final MethodHandle DEREG_MR = LIBRARY.plain("ibv_dereg_mr", JAVA_INT, JAVA_LONG);
    private static final MethodHandle CREATE_COMP_CHANNEL =
            LIBRARY.withErrno("ibv_create_comp_channel", JAVA_LONG, JAVA_LONG);
    private static final MethodHandle DESTROY_COMP_CHANNEL =
            LIBRARY.plain("ibv_destroy_comp_channel", JAVA_INT, JAVA_LONG);
    private static final MethodHandle CREATE_CQ =
            LIBRARY.withErrno("ibv_create_cq", JAVA_LONG, JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_INT);
    private static final MethodHandle RESIZE_CQ = LIBRARY.plain("ibv_resize_cq", JAVA_INT, JAVA_LONG, JAVA_INT);
    private static final MethodHandle DESTROY_CQ = LIBRARY.plain("ibv_destroy_cq", JAVA_INT, JAVA_LONG);
    private static final MethodHandle GET_CQ_EVENT =
            LIBRARY.withErrno("ibv_get_cq_event", JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG);
    private static final MethodHandle ACK_CQ_EVENTS = LIBRARY.plain("ibv_ack_cq_events", null, JAVA_LONG, JAVA_INT);
    private static final MethodHandle CREATE_QP = LIBRARY.withErrno("ibv_create_qp", JAVA_LONG, JAVA_LONG, JAVA_LONG);
    private static final MethodHandle MODIFY_QP =
            LIBRARY.plain("ibv_modify_qp", JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_INT);
    private static final MethodHandle QUERY_QP =
            LIBRARY.plain("ibv_query_qp", JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_INT, JAVA_LONG);
    private static final MethodHandle DESTROY_QP = LIBRARY.plain("ibv_destroy_qp", JAVA_INT, JAVA_LONG);

    private IbVerbs() {}

    /// ENOSYS when the kernel has no RDMA support.
    public static long getDeviceList(long count) {
        MemorySegment state = CallState.mine();
        try {
            return CallState.pointer(state, (long) GET_DEVICE_LIST.invokeExact(state, count));
        } catch (Throwable e) {
            throw Calls.unexpected(e);
        }
    }

    public static void freeDeviceList(long list) {
        try {
            FREE_DEVICE_LIST.invokeExact(list);
        } catch (Throwable e) {
            throw Calls.unexpected(e);
        }
    }

    public static long getDeviceGuid(long device) {
        try {
            return (long) GET_DEVICE_GUID.invokeExact(device);
        } catch (Throwable e) {
            throw Calls.unexpected(e);
        }
    }

    public static long openDevice(long device) {
        MemorySegment state = CallState.mine();
        try {
            return CallState.pointer(state, (long) OPEN_DEVICE.invokeExact(state, device));
        } catch (Throwable e) {
            throw Calls.unexpected(e);
        }
    }

    public static int closeDevice(long context) {
        try {
            return (int) CLOSE_DEVICE.invokeExact(context);
        } catch (Throwable e) {
            throw Calls.unexpected(e);
        }
    }

    public static int queryDevice(long context, long attr) {
        try {
            return (int) QUERY_DEVICE.invokeExact(context, attr);
        } catch (Throwable e) {
            throw Calls.unexpected(e);
        }
    }

    public static int queryPort(long context, byte port, long attr) {
        try {
            return (int) QUERY_PORT.invokeExact(context, port, attr);
        } catch (Throwable e) {
            throw Calls.unexpected(e);
        }
    }

    public static int queryGid(long context, byte port, int index, long gid) {
        MemorySegment state = CallState.mine();
        try {
            return CallState.result(state, (int) QUERY_GID.invokeExact(state, context, port, index, gid));
        } catch (Throwable e) {
            throw Calls.unexpected(e);
        }
    }

    /// How many rows were written.
    public static long queryGidTable(long context, long entries, long max, int flags, long entrySize) {
        try {
            return (long) QUERY_GID_TABLE.invokeExact(context, entries, max, flags, entrySize);
        } catch (Throwable e) {
            throw Calls.unexpected(e);
        }
    }

    public static int queryPkey(long context, byte port, int index, long pkey) {
        MemorySegment state = CallState.mine();
        try {
            return CallState.result(state, (int) QUERY_PKEY.invokeExact(state, context, port, index, pkey));
        } catch (Throwable e) {
            throw Calls.unexpected(e);
        }
    }

    public static int getAsyncEvent(long context, long event) {
        MemorySegment state = CallState.mine();
        try {
            return CallState.result(state, (int) GET_ASYNC_EVENT.invokeExact(state, context, event));
        } catch (Throwable e) {
            throw Calls.unexpected(e);
        }
    }

    public static void ackAsyncEvent(long event) {
        try {
            ACK_ASYNC_EVENT.invokeExact(event);
        } catch (Throwable e) {
            throw Calls.unexpected(e);
        }
    }

    public static long allocPd(long context) {
        MemorySegment state = CallState.mine();
        try {
            return CallState.pointer(state, (long) ALLOC_PD.invokeExact(state, context));
        } catch (Throwable e) {
            throw Calls.unexpected(e);
        }
    }

    public static int deallocPd(long pd) {
        try {
            return (int) DEALLOC_PD.invokeExact(pd);
        } catch (Throwable e) {
            throw Calls.unexpected(e);
        }
    }

    public static long regMr(long pd, long address, long length, long iova, int access) {
        MemorySegment state = CallState.mine();
        try {
            return CallState.pointer(state, (long) REG_MR.invokeExact(state, pd, address, length, iova, access));
        } catch (Throwable e) {
            throw Calls.unexpected(e);
        }
    }

    /// 0, or a number of `enum ibv_rereg_mr_err_code`; then `errno` says why and is the result, negated.
    public static int reregMr(long mr, int flags, long pd, long address, long length, int access) {
        MemorySegment state = CallState.mine();
        try {
            int code = (int) REREG_MR.invokeExact(state, mr, flags, pd, address, length, access);
            return code == 0 ? 0 : CallState.failure(state);
        } catch (Throwable e) {
            throw Calls.unexpected(e);
        }
    }

    public static int deregMr(long mr) {
        try {
            return (int) DEREG_MR.invokeExact(mr);
        } catch (Throwable e) {
            throw Calls.unexpected(e);
        }
    }

    public static long createCompChannel(long context) {
        MemorySegment state = CallState.mine();
        try {
            return CallState.pointer(state, (long) CREATE_COMP_CHANNEL.invokeExact(state, context));
        } catch (Throwable e) {
            throw Calls.unexpected(e);
        }
    }

    public static int destroyCompChannel(long channel) {
        try {
            return (int) DESTROY_COMP_CHANNEL.invokeExact(channel);
        } catch (Throwable e) {
            throw Calls.unexpected(e);
        }
    }

    public static long createCq(long context, int entries, long cqContext, long channel, int vector) {
        MemorySegment state = CallState.mine();
        try {
            return CallState.pointer(
                    state, (long) CREATE_CQ.invokeExact(state, context, entries, cqContext, channel, vector));
        } catch (Throwable e) {
            throw Calls.unexpected(e);
        }
    }

    public static int resizeCq(long cq, int entries) {
        try {
            return (int) RESIZE_CQ.invokeExact(cq, entries);
        } catch (Throwable e) {
            throw Calls.unexpected(e);
        }
    }

    public static int destroyCq(long cq) {
        try {
            return (int) DESTROY_CQ.invokeExact(cq);
        } catch (Throwable e) {
            throw Calls.unexpected(e);
        }
    }

    public static int getCqEvent(long channel, long cq, long cqContext) {
        MemorySegment state = CallState.mine();
        try {
            return CallState.result(state, (int) GET_CQ_EVENT.invokeExact(state, channel, cq, cqContext));
        } catch (Throwable e) {
            throw Calls.unexpected(e);
        }
    }

    public static void ackCqEvents(long cq, int count) {
        try {
            ACK_CQ_EVENTS.invokeExact(cq, count);
        } catch (Throwable e) {
            throw Calls.unexpected(e);
        }
    }

    public static long createQp(long pd, long attr) {
        MemorySegment state = CallState.mine();
        try {
            return CallState.pointer(state, (long) CREATE_QP.invokeExact(state, pd, attr));
        } catch (Throwable e) {
            throw Calls.unexpected(e);
        }
    }

    public static int modifyQp(long qp, long attr, int mask) {
        try {
            return (int) MODIFY_QP.invokeExact(qp, attr, mask);
        } catch (Throwable e) {
            throw Calls.unexpected(e);
        }
    }

    public static int queryQp(long qp, long attr, int mask, long initAttr) {
        try {
            return (int) QUERY_QP.invokeExact(qp, attr, mask, initAttr);
        } catch (Throwable e) {
            throw Calls.unexpected(e);
        }
    }

    public static int destroyQp(long qp) {
        try {
            return (int) DESTROY_QP.invokeExact(qp);
        } catch (Throwable e) {
            throw Calls.unexpected(e);
        }
    }
}
