package io.verbena.verbs;

import io.verbena.verbs.attr.NodeType;
import io.verbena.verbs.attr.TransportType;

/// An RDMA device, not yet opened. Counterpart of `struct ibv_device`.
public interface Device {
    /// Unique in this process, e.g. `soft-127.0.0.1` or `mlx5_0`. Counterpart of `ibv_get_device_name`.
    String name();

    /// Name of the provider, e.g. `soft`.
    String provider();

    /// Counterpart of `ibv_get_device_guid`, in host order.
    long guid();

    /// Counterpart of `node_type` in `struct ibv_device`.
    NodeType nodeType();

    /// What the device speaks. Counterpart of `transport_type` in `struct ibv_device`.
    default TransportType transportType() {
        return TransportType.of(nodeType());
    }

    /// Name of the kernel's device file, e.g. `uverbs0`; empty when there is none, as for software devices.
    /// Counterpart of `dev_name` in `struct ibv_device`.
    default String kernelName() {
        return "";
    }

    /// Counterpart of `ibv_open_device`.
    Context open();
}
