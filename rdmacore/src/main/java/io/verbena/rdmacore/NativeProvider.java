package io.verbena.rdmacore;

import io.verbena.rdmacore.lib.Libraries;
import io.verbena.verbs.Device;
import io.verbena.verbs.UnsupportedVerbException;
import io.verbena.verbs.cm.ConnectionManager;
import io.verbena.verbs.spi.Availability;
import io.verbena.verbs.spi.RdmaProvider;
import java.util.List;
import java.util.Optional;

/// The devices that libibverbs knows.
public final class NativeProvider implements RdmaProvider {
    static final String NAME = "rdmacore";

    public NativeProvider() {}

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public Availability availability() {
        return Libraries.IBVERBS.availability();
    }

    @Override
    public List<Device> devices() {
        return List.of();
    }

    @Override
    public Optional<Device> device(String nameOrAddress) {
        return devices().stream()
                .filter(device -> device.name().equals(nameOrAddress))
                .findFirst();
    }

    @Override
    public ConnectionManager connectionManager() {
        throw new UnsupportedVerbException(NAME, "rdma_create_event_channel");
    }
}
