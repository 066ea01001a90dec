package io.verbena.verbs.attr;

/// Optional features of a device. Counterpart of `enum ibv_device_cap_flags`; [#bit] is the C value.
public enum DeviceCapability {
    RESIZE_MAX_WORK_REQUESTS(1L),
    UNRELIABLE_DATAGRAM_MULTICAST(1L << 2),
    SHARED_RECEIVE_QUEUE_RESIZE(1L << 13),
    RNR_NAK_GENERATION(1L << 12),
    MEMORY_WINDOW(1L << 17),
    MEMORY_MANAGEMENT_EXTENSIONS(1L << 21),
    MEMORY_WINDOW_TYPE_2B(1L << 24),
    FLUSH_GLOBAL(1L << 38),
    FLUSH_PERSISTENT(1L << 39),
    ATOMIC_WRITE(1L << 40);

    private final long bit;

    DeviceCapability(long bit) {
        this.bit = bit;
    }

    public long bit() {
        return bit;
    }
}
