package io.verbena.verbs;

import io.verbena.verbs.attr.NodeType;

/// An RDMA device, not yet opened. Counterpart of `struct ibv_device`.
public interface Device {
    String name();

    /// Name of the provider, e.g. `soft`.
    String provider();

    /// Counterpart of `ibv_get_device_guid`, in host order.
    long guid();

    NodeType nodeType();

    /// Counterpart of `ibv_open_device`.
    Context open();
}
