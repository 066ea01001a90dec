package io.verbena.verbs.attr;

/// Limits and numbers of a device beyond [DeviceAttributes], which few programs need. `ibv_devinfo -v` shows them, and
/// they are named as in `struct ibv_device_attr`. 0 is what a device says that has no such thing.
///
/// - `pageSizes`: bit n is set when pages of 2^n bytes can be registered.
/// - `maxReadScatterGather`: buffers of a READ (`max_sge_rd`).
/// - `maxReadAtomicOfDevice`: READs and atomics that the device serves at a time, all queue pairs together
///   (`max_res_rd_atom`).
/// - `maxQueuePairsPerGroup`, `maxQueuePairsInGroups`: multicast memberships of one group, and of all groups.
/// - `maxPartitionKeys`: entries of the partition key tables.
/// - `capabilityFlags`: `device_cap_flags_ex` (or `device_cap_flags`) as the device gave it, bits without a
///   [DeviceCapability] included.
public record DeviceDetails(
        long pageSizes,
        int maxReadScatterGather,
        int maxReadAtomicOfDevice,
        int maxQueuePairsPerGroup,
        int maxQueuePairsInGroups,
        int maxPartitionKeys,
        long capabilityFlags) {
    public static final DeviceDetails NONE = new DeviceDetails(0, 0, 0, 0, 0, 0, 0);
}
