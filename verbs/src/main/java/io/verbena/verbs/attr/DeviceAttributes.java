package io.verbena.verbs.attr;

import java.util.Set;

/// The limits and features of a device. Counterpart of `struct ibv_device_attr`.
///
/// A limit is the most that the device can have; the machine may run out of memory sooner. `localAckDelayCode` stands
/// for 4.096 µs · 2^code, the longest the device takes to acknowledge.
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

    /// Takes a copy of the set of capabilities.
    public DeviceAttributes {
        capabilities = Set.copyOf(capabilities);
    }
}
