package io.verbena.rdmacore.cm;

import io.verbena.rdmacore.lib.CFunction;
import io.verbena.rdmacore.lib.Libraries;

/// The functions of librdmacm. Ids, channels and structs are given by address; what fails returns its error number,
/// negated.
///
/// To be used only after [Libraries#RDMACM] was found. librdmacm trusts its callers: several functions follow
/// pointers of an id that are NULL before a device is known, so callers check first.
interface Rdmacm {
    /// The library.
    Rdmacm LIB = Libraries.RDMACM.require().bind(Rdmacm.class);

    /// The channel, or the error number, negated: addresses are never negative.
    @CFunction(value = "rdma_create_event_channel", setsErrno = true)
    long createEventChannel();

    @CFunction("rdma_destroy_event_channel")
    void destroyEventChannel(long channel);

    /// Takes a reference to each device there is. `count` may be 0.
    @CFunction(value = "rdma_get_devices", setsErrno = true)
    long getDevices(long count);

    /// Writes the address of the event to `result`; it is to be acknowledged.
    @CFunction(value = "rdma_get_cm_event", setsErrno = true)
    int getEvent(long channel, long result);

    @CFunction(value = "rdma_ack_cm_event", setsErrno = true)
    int acknowledge(long event);

    /// Writes the address of the id to `result`.
    @CFunction(value = "rdma_create_id", setsErrno = true)
    int createId(long channel, long result, long context, int portSpace);

    /// Waits until all events of the id that were taken are acknowledged.
    @CFunction(value = "rdma_destroy_id", setsErrno = true)
    int destroyId(long id);

    @CFunction(value = "rdma_migrate_id", setsErrno = true)
    int migrateId(long id, long channel);

    @CFunction(value = "rdma_set_option", setsErrno = true)
    int setOption(long id, int level, int option, long value, long bytes);

    @CFunction(value = "rdma_bind_addr", setsErrno = true)
    int bindAddress(long id, long address);

    /// `local` may be 0.
    @CFunction(value = "rdma_resolve_addr", setsErrno = true)
    int resolveAddress(long id, long local, long peer, int timeoutMs);

    /// Only for an id with a device.
    @CFunction(value = "rdma_resolve_route", setsErrno = true)
    int resolveRoute(long id, int timeoutMs);

    /// Only for an id with a device, and with parameters.
    @CFunction(value = "rdma_connect", setsErrno = true)
    int connect(long id, long parameters);

    @CFunction(value = "rdma_listen", setsErrno = true)
    int listen(long id, int backlog);

    /// Only for an id with a device, and with parameters.
    @CFunction(value = "rdma_accept", setsErrno = true)
    int accept(long id, long parameters);

    /// C takes the length as an unsigned byte: as an int, because a byte above 127 would be passed with its sign.
    @CFunction(value = "rdma_reject", setsErrno = true)
    int reject(long id, long data, int bytes);

    @CFunction(value = "rdma_disconnect", setsErrno = true)
    int disconnect(long id);

    /// Only for an id with a device.
    @CFunction(value = "rdma_establish", setsErrno = true)
    int establish(long id);

    /// `event` is a number of `enum ibv_event_type`.
    @CFunction(value = "rdma_notify", setsErrno = true)
    int notifyOf(long id, int event);

    /// Fills in the `ibv_qp_attr`, whose `qp_state` says for which step, and the mask.
    @CFunction(value = "rdma_init_qp_attr", setsErrno = true)
    int initQueuePairAttributes(long id, long attributes, long mask);

    /// `context` comes back as the private data of the event.
    @CFunction(value = "rdma_join_multicast_ex", setsErrno = true)
    int joinMulticast(long id, long attributes, long context);

    @CFunction(value = "rdma_leave_multicast", setsErrno = true)
    int leaveMulticast(long id, long address);
}
