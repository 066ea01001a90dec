package io.verbena.soft.cq;

import io.verbena.soft.limit.Quota;
import io.verbena.verbs.Device;
import io.verbena.verbs.attr.Gid;
import io.verbena.verbs.attr.Mtu;

/// What queues of all kinds need of their device: how many there may be, and what its port can do.
public interface QueueDevice extends Device {
    /// The completion queues that all contexts of the device have.
    Quota completionQueues();

    /// The shared receive queues that all contexts of the device have.
    Quota sharedReceiveQueues();

    /// The address handles that all contexts of the device have.
    Quota addressHandles();

    /// The one address of the device's port.
    Gid gid();

    /// The largest MTU that the device's wire carries.
    Mtu maxMtu();
}
