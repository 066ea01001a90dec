package io.verbena.rdmacore.lib;

/// The functions that libibverbs exports. Pointers are longs.
///
/// Each returns, as its manual page says, one of three: a pointer, and in place of NULL the negated `errno` (no address
/// is negative); a number, and in place of -1 the negated `errno`; or 0, else the error number itself.
///
/// To be used only after the library was found: [Libraries#IBVERBS].
public interface IbVerbs {
    /// The library.
    IbVerbs LIB = Libraries.IBVERBS.require().bind(IbVerbs.class);

    /// Whether this release of rdma-core knows FLUSH: the structs do not show it, but this function was added with it.
    static boolean knowFlush() {
        return Libraries.IBVERBS.require().has("ibv_create_comp_cntr");
    }

    /// ENOSYS when the kernel has no RDMA support.
    @CFunction(value = "ibv_get_device_list", setsErrno = true)
    long getDeviceList(long count);

    @CFunction("ibv_free_device_list")
    void freeDeviceList(long list);

    @CFunction("ibv_get_device_guid")
    long getDeviceGuid(long device);

    @CFunction(value = "ibv_open_device", setsErrno = true)
    long openDevice(long device);

    @CFunction("ibv_close_device")
    int closeDevice(long context);

    @CFunction("ibv_query_device")
    int queryDevice(long context, long attr);

    @CFunction("ibv_query_port")
    int queryPort(long context, byte port, long attr);

    @CFunction(value = "ibv_query_gid", setsErrno = true)
    int queryGid(long context, byte port, int index, long gid);

    /// How many rows were written.
    @CFunction("_ibv_query_gid_table")
    long queryGidTable(long context, long entries, long max, int flags, long entrySize);

    @CFunction(value = "ibv_query_pkey", setsErrno = true)
    int queryPkey(long context, byte port, int index, long pkey);

    @CFunction(value = "ibv_get_async_event", setsErrno = true)
    int getAsyncEvent(long context, long event);

    @CFunction("ibv_ack_async_event")
    void ackAsyncEvent(long event);

    @CFunction(value = "ibv_alloc_pd", setsErrno = true)
    long allocPd(long context);

    @CFunction("ibv_dealloc_pd")
    int deallocPd(long pd);

    @CFunction(value = "ibv_reg_mr_iova2", setsErrno = true)
    long regMr(long pd, long address, long length, long iova, int access);

    @CFunction(value = "ibv_rereg_mr", setsErrno = true)
    int reregMr(long mr, int flags, long pd, long address, long length, int access);

    @CFunction("ibv_dereg_mr")
    int deregMr(long mr);

    @CFunction(value = "ibv_create_comp_channel", setsErrno = true)
    long createCompChannel(long context);

    @CFunction("ibv_destroy_comp_channel")
    int destroyCompChannel(long channel);

    @CFunction(value = "ibv_create_cq", setsErrno = true)
    long createCq(long context, int entries, long cqContext, long channel, int vector);

    @CFunction("ibv_resize_cq")
    int resizeCq(long cq, int entries);

    @CFunction("ibv_destroy_cq")
    int destroyCq(long cq);

    @CFunction(value = "ibv_create_qp", setsErrno = true)
    long createQp(long pd, long attr);

    @CFunction("ibv_modify_qp")
    int modifyQp(long qp, long attr, int mask);

    @CFunction("ibv_query_qp")
    int queryQp(long qp, long attr, int mask, long initAttr);

    @CFunction("ibv_destroy_qp")
    int destroyQp(long qp);

    /// The same queue pair as one that takes requests by calls; 0 when its driver made it without.
    @CFunction("ibv_qp_to_qp_ex")
    long qpToQpEx(long qp);

    @CFunction(value = "ibv_create_srq", setsErrno = true)
    long createSrq(long pd, long initAttr);

    @CFunction("ibv_modify_srq")
    int modifySrq(long srq, long attr, int mask);

    @CFunction("ibv_query_srq")
    int querySrq(long srq, long attr);

    @CFunction("ibv_destroy_srq")
    int destroySrq(long srq);

    @CFunction(value = "ibv_create_ah", setsErrno = true)
    long createAh(long pd, long attr);

    /// Fills in the address of the sender of a received datagram.
    @CFunction(value = "ibv_init_ah_from_wc", setsErrno = true)
    int initAhFromWc(long context, byte port, long wc, long grh, long attr);

    @CFunction("ibv_destroy_ah")
    int destroyAh(long ah);

    @CFunction("ibv_attach_mcast")
    int attachMcast(long qp, long gid, short lid);

    @CFunction("ibv_detach_mcast")
    int detachMcast(long qp, long gid, short lid);
}
