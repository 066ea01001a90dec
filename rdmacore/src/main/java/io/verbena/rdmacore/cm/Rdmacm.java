package io.verbena.rdmacore.cm;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.verbena.rdmacore.lib.CallState;
import io.verbena.rdmacore.lib.Calls;
import io.verbena.rdmacore.lib.Libraries;
import io.verbena.rdmacore.lib.Library;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/// The functions of librdmacm. Ids, channels and structs are given by address; what fails returns its error number,
/// negated.
///
/// To be used only after [Libraries#RDMACM] was found. librdmacm trusts its callers: several functions follow
/// pointers of an id that are NULL before a device is known, so callers check first.
final class Rdmacm {
    private static final Logger LOG = System.getLogger(Rdmacm.class.getName());
    private static final Library LIBRARY = Libraries.RDMACM.require();

    private static final MethodHandle CREATE_EVENT_CHANNEL = LIBRARY.withErrno("rdma_create_event_channel", JAVA_LONG);
    private static final MethodHandle DESTROY_EVENT_CHANNEL =
            LIBRARY.plain("rdma_destroy_event_channel", null, JAVA_LONG);
    private static final MethodHandle GET_DEVICES = LIBRARY.withErrno("rdma_get_devices", JAVA_LONG, JAVA_LONG);
    private static final MethodHandle GET_CM_EVENT = function("rdma_get_cm_event", JAVA_LONG, JAVA_LONG);
    private static final MethodHandle ACK_CM_EVENT = function("rdma_ack_cm_event", JAVA_LONG);
    private static final MethodHandle CREATE_ID = function("rdma_create_id", JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_INT);
    private static final MethodHandle DESTROY_ID = function("rdma_destroy_id", JAVA_LONG);
    private static final MethodHandle MIGRATE_ID = function("rdma_migrate_id", JAVA_LONG, JAVA_LONG);
    private static final MethodHandle SET_OPTION =
            function("rdma_set_option", JAVA_LONG, JAVA_INT, JAVA_INT, JAVA_LONG, JAVA_LONG);
    private static final MethodHandle BIND_ADDR = function("rdma_bind_addr", JAVA_LONG, JAVA_LONG);
    private static final MethodHandle RESOLVE_ADDR =
            function("rdma_resolve_addr", JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_INT);
    private static final MethodHandle RESOLVE_ROUTE = function("rdma_resolve_route", JAVA_LONG, JAVA_INT);
    private static final MethodHandle CONNECT = function("rdma_connect", JAVA_LONG, JAVA_LONG);
    private static final MethodHandle LISTEN = function("rdma_listen", JAVA_LONG, JAVA_INT);
    private static final MethodHandle ACCEPT = function("rdma_accept", JAVA_LONG, JAVA_LONG);
    private static final MethodHandle REJECT = function("rdma_reject", JAVA_LONG, JAVA_LONG, JAVA_INT);
    private static final MethodHandle DISCONNECT = function("rdma_disconnect", JAVA_LONG);
    private static final MethodHandle ESTABLISH = function("rdma_establish", JAVA_LONG);
    private static final MethodHandle NOTIFY = function("rdma_notify", JAVA_LONG, JAVA_INT);
    private static final MethodHandle INIT_QP_ATTR = function("rdma_init_qp_attr", JAVA_LONG, JAVA_LONG, JAVA_LONG);
    private static final MethodHandle JOIN_MULTICAST_EX =
            function("rdma_join_multicast_ex", JAVA_LONG, JAVA_LONG, JAVA_LONG);
    private static final MethodHandle LEAVE_MULTICAST = function("rdma_leave_multicast", JAVA_LONG, JAVA_LONG);

    private Rdmacm() {}

    private static MethodHandle function(String name, MemoryLayout... takes) {
        return LIBRARY.withErrno(name, JAVA_INT, takes);
    }

    /// The channel, or the error number, negated: addresses are never negative.
    static long createEventChannel() {
        MemorySegment state = CallState.mine();
        try {
            return CallState.pointer(state, (long) CREATE_EVENT_CHANNEL.invokeExact(state));
        } catch (Throwable e) {
            throw Calls.unexpected(e);
        }
    }

    static void destroyEventChannel(long channel) {
        try {
            DESTROY_EVENT_CHANNEL.invokeExact(channel);
        } catch (Throwable e) {
            throw Calls.unexpected(e);
        }
    }

    /// Takes a reference to all devices there are, for ever.
    static void keepDevices() {
        MemorySegment state = CallState.mine();
        try {
            long list = (long) GET_DEVICES.invokeExact(state, 0L);
            LOG.log(Level.DEBUG, () -> "devices kept: " + (list != 0));
        } catch (Throwable e) {
            throw Calls.unexpected(e);
        }
    }

    /// Writes the address of the event to `result`; it is to be acknowledged.
    static int getEvent(long channel, long result) {
        return two(GET_CM_EVENT, channel, result);
    }

    static int acknowledge(long event) {
        return one(ACK_CM_EVENT, event);
    }

    /// Writes the address of the id to `result`.
    static int createId(long channel, long result, int portSpace) {
        MemorySegment state = CallState.mine();
        try {
            return CallState.result(state, (int) CREATE_ID.invokeExact(state, channel, result, 0L, portSpace));
        } catch (Throwable e) {
            throw Calls.unexpected(e);
        }
    }

    /// Waits until all events of the id that were taken are acknowledged.
    static int destroyId(long id) {
        return one(DESTROY_ID, id);
    }

    static int migrateId(long id, long channel) {
        return two(MIGRATE_ID, id, channel);
    }

    static int setOption(long id, int level, int option, long value, long bytes) {
        MemorySegment state = CallState.mine();
        try {
            return CallState.result(state, (int) SET_OPTION.invokeExact(state, id, level, option, value, bytes));
        } catch (Throwable e) {
            throw Calls.unexpected(e);
        }
    }

    static int bindAddress(long id, long address) {
        return two(BIND_ADDR, id, address);
    }

    /// `local` may be 0.
    static int resolveAddress(long id, long local, long peer, int timeoutMs) {
        MemorySegment state = CallState.mine();
        try {
            return CallState.result(state, (int) RESOLVE_ADDR.invokeExact(state, id, local, peer, timeoutMs));
        } catch (Throwable e) {
            throw Calls.unexpected(e);
        }
    }

    /// Only for an id with a device.
    static int resolveRoute(long id, int timeoutMs) {
        return number(RESOLVE_ROUTE, id, timeoutMs);
    }

    /// Only for an id with a device, and with parameters.
    static int connect(long id, long parameters) {
        return two(CONNECT, id, parameters);
    }

    static int listen(long id, int backlog) {
        return number(LISTEN, id, backlog);
    }

    /// Only for an id with a device, and with parameters.
    static int accept(long id, long parameters) {
        return two(ACCEPT, id, parameters);
    }

    /// C takes the length as an unsigned byte: as an int, because a byte above 127 would be passed with its sign.
    static int reject(long id, long data, int bytes) {
        MemorySegment state = CallState.mine();
        try {
            return CallState.result(state, (int) REJECT.invokeExact(state, id, data, bytes));
        } catch (Throwable e) {
            throw Calls.unexpected(e);
        }
    }

    static int disconnect(long id) {
        return one(DISCONNECT, id);
    }

    /// Only for an id with a device.
    static int establish(long id) {
        return one(ESTABLISH, id);
    }

    /// `event` is a number of `enum ibv_event_type`.
    static int notifyOf(long id, int event) {
        return number(NOTIFY, id, event);
    }

    /// Fills in the `ibv_qp_attr`, whose `qp_state` says for which step, and the mask.
    static int initQueuePairAttributes(long id, long attributes, long mask) {
        MemorySegment state = CallState.mine();
        try {
            return CallState.result(state, (int) INIT_QP_ATTR.invokeExact(state, id, attributes, mask));
        } catch (Throwable e) {
            throw Calls.unexpected(e);
        }
    }

    /// `context` comes back as the private data of the event.
    static int joinMulticast(long id, long attributes, long context) {
        MemorySegment state = CallState.mine();
        try {
            return CallState.result(state, (int) JOIN_MULTICAST_EX.invokeExact(state, id, attributes, context));
        } catch (Throwable e) {
            throw Calls.unexpected(e);
        }
    }

    static int leaveMulticast(long id, long address) {
        return two(LEAVE_MULTICAST, id, address);
    }

    private static int one(MethodHandle function, long first) {
        MemorySegment state = CallState.mine();
        try {
            return CallState.result(state, (int) function.invokeExact(state, first));
        } catch (Throwable e) {
            throw Calls.unexpected(e);
        }
    }

    private static int two(MethodHandle function, long first, long second) {
        MemorySegment state = CallState.mine();
        try {
            return CallState.result(state, (int) function.invokeExact(state, first, second));
        } catch (Throwable e) {
            throw Calls.unexpected(e);
        }
    }

    private static int number(MethodHandle function, long first, int second) {
        MemorySegment state = CallState.mine();
        try {
            return CallState.result(state, (int) function.invokeExact(state, first, second));
        } catch (Throwable e) {
            throw Calls.unexpected(e);
        }
    }
}
