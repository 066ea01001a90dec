package io.verbena.soft;

import io.verbena.soft.cm.SoftConnectionManager;
import io.verbena.soft.device.HostNetwork;
import io.verbena.soft.device.SoftDevice;
import io.verbena.soft.monitor.StatusCollector;
import io.verbena.soft.monitor.StatusServer;
import io.verbena.soft.option.SoftProperties;
import io.verbena.soft.os.NanoClock;
import io.verbena.soft.status.StatusDirectory;
import io.verbena.verbs.Device;
import io.verbena.verbs.RdmaException;
import io.verbena.verbs.cm.ConnectionManager;
import io.verbena.verbs.spi.Availability;
import io.verbena.verbs.spi.RdmaProvider;
import java.net.InetAddress;
import java.util.List;
import java.util.Optional;

/// The software devices of this host: one per local IP address.
public final class SoftProvider implements RdmaProvider {
    static final String NAME = SoftDevice.PROVIDER;

    private static final HostNetwork NETWORK = new HostNetwork();
    private static final SoftConnectionManager MANAGER = new SoftConnectionManager(NETWORK);

    private static final StatusServer STATUS;

    static {
        StatusCollector status = new StatusCollector(NETWORK, MANAGER, NanoClock.SYSTEM);
        STATUS = new StatusServer(StatusDirectory::ofUser, status::collect, NanoClock.SYSTEM);
        NETWORK.onOpen(SoftProvider::onOpen);
    }

    public SoftProvider() {}

    private static void onOpen(SoftDevice device) {
        MANAGER.onDeviceOpened(device);
        if (SoftProperties.isStatusShown()) {
            STATUS.start();
        }
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public Availability availability() {
        return Availability.AVAILABLE;
    }

    @Override
    public List<Device> devices() {
        return List.copyOf(NETWORK.all());
    }

    /// `soft-127.0.0.1` or `127.0.0.1`, any local address; a link-local one with its interface: `fe80::1%eth0`.
    @Override
    public Optional<Device> device(String nameOrAddress) {
        String text = nameOrAddress.startsWith(NAME + "-") ? nameOrAddress.substring(NAME.length() + 1) : nameOrAddress;
        try {
            return Optional.of(NETWORK.at(InetAddress.ofLiteral(text)));
        } catch (IllegalArgumentException | RdmaException notHere) {
            return Optional.empty();
        }
    }

    @Override
    public ConnectionManager connectionManager() {
        return MANAGER;
    }
}
