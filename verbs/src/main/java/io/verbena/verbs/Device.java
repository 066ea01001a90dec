package io.verbena.verbs;

import io.verbena.verbs.attr.NodeType;
import io.verbena.verbs.attr.TransportType;
import java.util.Objects;

/// An RDMA device, not yet opened. Counterpart of `struct ibv_device`.
public interface Device {
    /// Unique in this process, e.g. `soft-127.0.0.1` or `mlx5_0`. Counterpart of `ibv_get_device_name`.
    String name();

    /// Name of the provider, e.g. `soft`.
    String provider();

    /// The 64-bit number that names the device world-wide, in host order. Counterpart of `ibv_get_device_guid`.
    long guid();

    /// The node type: adapter, switch or router. Counterpart of `node_type` in `struct ibv_device`.
    NodeType nodeType();

    /// The transport protocol. Counterpart of `transport_type` in `struct ibv_device`.
    default TransportType transportType() {
        return TransportType.of(nodeType());
    }

    /// Name of the kernel's device file, e.g. `uverbs0`; empty when there is none, as for software devices.
    /// Counterpart of `dev_name` in `struct ibv_device`.
    default String kernelName() {
        return "";
    }

    /// Opens the device. Counterpart of `ibv_open_device`.
    Context open();

    /// Opens the device with options of its provider; EINVAL for options of another provider, EBUSY when this process
    /// has the device open with other options.
    default Context open(DeviceOptions options) {
        Objects.requireNonNull(options, "the options are null; open() opens the device without");
        throw new RdmaException(
                "open " + name(),
                Errno.EINVAL,
                "the options are for devices of the provider %s, and this one is of %s; open it without options"
                        .formatted(options.provider(), provider()));
    }
}
