package io.verbena.soft.cq;

import io.verbena.soft.limit.Quota;
import io.verbena.verbs.Device;
import io.verbena.verbs.attr.Gid;
import io.verbena.verbs.attr.Mtu;
import io.verbena.verbs.spi.Availability;

/// The device as queues of all kinds see it: limits, and attributes of the port.
public interface QueueDevice extends Device {
    /// The completion queues that all contexts of the device have.
    Quota completionQueues();

    /// The shared receive queues that all contexts of the device have.
    Quota sharedReceiveQueues();

    /// The address handles that all contexts of the device have.
    Quota addressHandles();

    /// The one address of the device's port.
    Gid gid();

    /// Whether connections can go through shared memory, as seen when the device was opened.
    Availability sharedMemory();

    /// The largest MTU that the device's wire carries.
    Mtu maxMtu();
}
