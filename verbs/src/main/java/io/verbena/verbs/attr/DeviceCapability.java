package io.verbena.verbs.attr;

import java.util.Collection;
import java.util.EnumSet;
import java.util.Set;

/// Optional features of a device. Counterpart of `enum ibv_device_cap_flags`; [#bit] is the C value. What has no
/// flag in C, such as shared receive queues or multicast, shows in the limits of [DeviceAttributes]: 0 means none.
public enum DeviceCapability {
    RESIZE_MAX_WORK_REQUESTS(1L << 0),
    BAD_PKEY_COUNTER(1L << 1),
    BAD_QKEY_COUNTER(1L << 2),
    RAW_MULTICAST(1L << 3),
    AUTOMATIC_PATH_MIGRATION(1L << 4),
    CHANGE_PHYSICAL_PORT(1L << 5),
    UD_ADDRESS_PORT_ENFORCED(1L << 6),
    CURRENT_QP_STATE_MODIFY(1L << 7),
    SHUTDOWN_PORT(1L << 8),
    INIT_TYPE(1L << 9),
    PORT_ACTIVE_EVENT(1L << 10),
    SYSTEM_IMAGE_GUID(1L << 11),
    RNR_NAK_GENERATION(1L << 12),
    SHARED_RECEIVE_QUEUE_RESIZE(1L << 13),
    NOTIFY_N_COMPLETIONS(1L << 14),
    MEMORY_WINDOW(1L << 17),
    UD_IP_CHECKSUM(1L << 18),
    EXTENDED_RELIABLE_CONNECTION(1L << 20),
    /// Local invalidate, SEND with invalidate and fast registration.
    MEMORY_MANAGEMENT_EXTENSIONS(1L << 21),
    MEMORY_WINDOW_TYPE_2A(1L << 23),
    MEMORY_WINDOW_TYPE_2B(1L << 24),
    RC_IP_CHECKSUM(1L << 25),
    RAW_IP_CHECKSUM(1L << 26),
    MANAGED_FLOW_STEERING(1L << 29),
    /// `device_cap_flags_ex` only, as the kernel numbers it (`IB_UVERBS_DEVICE_FLUSH_GLOBAL`).
    FLUSH_GLOBAL(1L << 38),
    /// `device_cap_flags_ex` only (`IB_UVERBS_DEVICE_FLUSH_PERSISTENT`).
    FLUSH_PERSISTENT(1L << 39),
    /// `device_cap_flags_ex` only (`IB_UVERBS_DEVICE_ATOMIC_WRITE`).
    ATOMIC_WRITE(1L << 40);

    private final long bit;

    DeviceCapability(long bit) {
        this.bit = bit;
    }

    /// The bit of this feature in a set of features.
    public long bit() {
        return bit;
    }

    /// The features in `device_cap_flags` or `device_cap_flags_ex`; bits without a name here are left out.
    public static Set<DeviceCapability> of(long bits) {
        EnumSet<DeviceCapability> found = EnumSet.noneOf(DeviceCapability.class);
        for (DeviceCapability capability : values()) {
            if ((bits & capability.bit) != 0) {
                found.add(capability);
            }
        }
        return found;
    }

    /// The features as bits.
    public static long bits(Collection<DeviceCapability> capabilities) {
        long bits = 0;
        for (DeviceCapability capability : capabilities) {
            bits |= capability.bit;
        }
        return bits;
    }
}
