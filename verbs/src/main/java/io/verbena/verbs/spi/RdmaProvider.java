package io.verbena.verbs.spi;

import io.verbena.verbs.Device;
import io.verbena.verbs.cm.ConnectionManager;
import java.util.List;
import java.util.Optional;

/// A source of devices, found by [java.util.ServiceLoader].
public interface RdmaProvider {
    /// The name of the provider: `soft`, `rdmacore`.
    String name();

    /// Whether it can be used here, else why not and what to do.
    Availability availability();

    /// Its devices; empty when it is not available.
    List<Device> devices();

    /// The device of that name, or the one that serves that local IP address.
    Optional<Device> device(String nameOrAddress);

    /// The connection manager for the devices of this provider.
    ConnectionManager connectionManager();
}
