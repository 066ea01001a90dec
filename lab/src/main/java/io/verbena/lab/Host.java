package io.verbena.lab;

import io.verbena.conformance.bench.Quirks;
import io.verbena.verbs.Context;
import io.verbena.verbs.Device;
import io.verbena.verbs.Rdma;
import io.verbena.verbs.cm.ConnectionId;
import io.verbena.verbs.cm.ConnectionManager;
import io.verbena.verbs.cm.EventChannel;
import io.verbena.verbs.cm.PortSpace;
import io.verbena.verbs.spi.Availability;
import io.verbena.verbs.spi.RdmaProvider;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.util.Optional;

/// One of the hosts on the guest's switch (see `lab/guest/network`).
public enum Host {
    RXE0("10.77.0.1", "rdmacore", "first"),
    RXE1("10.77.0.2", "rdmacore", "first"),
    SOFT("10.77.0.3", "soft", "soft");

    /// An unused address with a known hardware address, so that packets to it are sent and lost.
    static final InetAddress SILENT = address("10.77.0.9");

    private final InetAddress address;
    private final String provider;
    private final Namespace namespace;

    Host(String address, String provider, String namespace) {
        this.address = address(address);
        this.provider = provider;
        this.namespace = new Namespace(Path.of("/run/netns", namespace));
    }

    private static InetAddress address(String text) {
        try {
            return InetAddress.getByName(text);
        } catch (UnknownHostException e) {
            throw new IllegalArgumentException(e);
        }
    }

    public InetAddress address() {
        return address;
    }

    boolean isKernel() {
        return provider.equals("rdmacore");
    }

    /// The version series of the guest's kernel.
    static String kernel() {
        return Optional.ofNullable(System.getenv("LAB_KERNEL")).orElse("?");
    }

    Quirks quirks() {
        if (!isKernel()) {
            return Quirks.NONE;
        }
        return kernel().equals("6.1") ? Quirks.RXE : Quirks.RXE_6_12;
    }

    private Optional<RdmaProvider> provider() {
        return Rdma.providers().stream().filter(p -> p.name().equals(provider)).findFirst();
    }

    Availability availability() {
        Availability availability = provider()
                .map(RdmaProvider::availability)
                .orElse(Availability.unavailable("no provider " + provider, "put its jar on the class path"));
        if (availability.isAvailable() && device().isEmpty()) {
            return Availability.unavailable("no device with " + address.getHostAddress(), "run it in the lab's guest");
        }
        return availability;
    }

    private Optional<Device> device() {
        return provider().flatMap(p -> p.device(address.getHostAddress()));
    }

    Context open() {
        return device().orElseThrow().open();
    }

    /// The ids live in the namespace of this host.
    public ConnectionManager connections() {
        ConnectionManager manager = provider().orElseThrow().connectionManager();
        return isKernel() ? new Elsewhere(manager, namespace) : manager;
    }

    private record Elsewhere(ConnectionManager manager, Namespace namespace) implements ConnectionManager {
        @Override
        public EventChannel createEventChannel() {
            return manager.createEventChannel();
        }

        @Override
        public ConnectionId createId(EventChannel channel, PortSpace space) {
            return namespace.call(() -> manager.createId(channel, space));
        }

        @Override
        public ConnectionId createSynchronousId(PortSpace space) {
            return namespace.call(() -> manager.createSynchronousId(space));
        }
    }
}
