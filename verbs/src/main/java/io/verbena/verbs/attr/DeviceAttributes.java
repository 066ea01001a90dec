package io.verbena.verbs.attr;

import java.util.Set;

/// What a device can do. Counterpart of `struct ibv_device_attr`.
///
/// A limit says what the device can do at most; the machine's memory may end sooner. `localAckDelayCode` stands for
/// 4.096 µs · 2^code, the longest the device takes to acknowledge.
public record DeviceAttributes(
        String firmwareVersion,
        long nodeGuid,
        long systemImageGuid,
        int vendorId,
        int vendorPartId,
        int hardwareVersion,
        int portCount,
        long maxMemoryRegionBytes,
        int maxMemoryRegions,
        int maxMemoryWindows,
        int maxProtectionDomains,
        int maxQueuePairs,
        int maxWorkRequests,
        int maxScatterGather,
        int maxInlineBytes,
        int maxCompletionQueues,
        int maxCompletionEntries,
        int maxReadAtomicAsResponder,
        int maxReadAtomicAsInitiator,
        int maxSharedReceiveQueues,
        int maxSharedReceiveRequests,
        int maxSharedReceiveScatterGather,
        int maxAddressHandles,
        int maxMulticastGroups,
        int localAckDelayCode,
        AtomicCapability atomics,
        Set<DeviceCapability> capabilities,
        DeviceDetails details) {

    public DeviceAttributes {
        capabilities = Set.copyOf(capabilities);
    }
}
