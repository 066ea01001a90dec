package io.verbena.tools;

import io.verbena.verbs.Context;
import io.verbena.verbs.Device;
import io.verbena.verbs.Errno;
import io.verbena.verbs.RdmaException;
import io.verbena.verbs.attr.NodeType;
import io.verbena.verbs.cm.ConnectionManager;
import io.verbena.verbs.spi.Availability;
import io.verbena.verbs.spi.RdmaProvider;
import java.util.List;
import java.util.Optional;

/// A provider with the devices that a test gives it.
record MadeUpProvider(Availability availability, List<Device> devices) implements RdmaProvider {
    @Override
    public String name() {
        return "made-up";
    }

    @Override
    public Optional<Device> device(String nameOrAddress) {
        return devices.stream()
                .filter(device -> device.name().equals(nameOrAddress))
                .findFirst();
    }

    @Override
    public ConnectionManager connectionManager() {
        throw new UnsupportedOperationException();
    }

    /// A device that cannot be opened.
    record BrokenDevice() implements Device {
        @Override
        public String name() {
            return "broken0";
        }

        @Override
        public String provider() {
            return "made-up";
        }

        @Override
        public long guid() {
            return 1;
        }

        @Override
        public NodeType nodeType() {
            return NodeType.CHANNEL_ADAPTER;
        }

        @Override
        public Context open() {
            throw new RdmaException("open broken0", Errno.EACCES, "ask for permission");
        }
    }
}
