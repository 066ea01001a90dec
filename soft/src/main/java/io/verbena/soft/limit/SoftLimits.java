package io.verbena.soft.limit;

/// The limits of a software device, which queries return and the device enforces.
public final class SoftLimits {
    public static final int MAX_QUEUE_PAIRS = 1 << 16;
    public static final int MAX_WORK_REQUESTS = 1 << 16;
    public static final int MAX_SCATTER_GATHER = 32;
    public static final int MAX_INLINE_BYTES = 512;
    public static final int MAX_COMPLETION_ENTRIES = 1 << 20;
    public static final int MAX_COMPLETION_QUEUES = 1 << 16;
    public static final int MAX_MEMORY_REGIONS = 1 << 20;
    public static final int MAX_MEMORY_WINDOWS = 1 << 18;
    /// The address space of a process on current machines.
    public static final long MAX_MEMORY_REGION_BYTES = 1L << 47;
    public static final int MAX_PROTECTION_DOMAINS = 1 << 16;
    public static final int MAX_SHARED_RECEIVE_QUEUES = 1 << 16;
    public static final int MAX_SHARED_RECEIVE_REQUESTS = 1 << 16;
    public static final int MAX_READ_ATOMIC = 128;
    public static final int MAX_ADDRESS_HANDLES = 1 << 16;
    /// Each group takes a socket.
    public static final int MAX_MULTICAST_GROUPS = 256;
    public static final int MAX_QUEUE_PAIRS_PER_GROUP = 1024;
    /// 4.096 µs · 2^15, as rxe reports.
    public static final int LOCAL_ACK_DELAY_CODE = 15;

    private SoftLimits() {}
}
