package io.verbena.verbs;

import io.verbena.verbs.cm.ConnectionId;
import io.verbena.verbs.cm.ConnectionManager;
import io.verbena.verbs.cm.PortSpace;
import io.verbena.verbs.spi.Availability;
import io.verbena.verbs.spi.RdmaProvider;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.function.Supplier;

/// The installed providers in the order in which they are asked, and the choice among them.
final class Providers {
    private static final String SOFT = "soft";
    private static final String BY_PROPERTY = "the program named it, by options or " + Rdma.PROVIDER_PROPERTY;

    private static final boolean HAS_RECORDER = ModuleLayer.boot()
            .findModule("jdk.jfr")
            .filter(Providers.class.getModule()::canRead)
            .isPresent();

    private final List<RdmaProvider> all;
    private final ConnectionManager byAddress = new AddressedConnectionManager(this);

    Providers(List<RdmaProvider> all) {
        this.all = all.stream()
                .sorted((a, b) ->
                        Boolean.compare(a.name().equals(SOFT), b.name().equals(SOFT)))
                .toList();
    }

    /// The providers that the service loader finds.
    static Providers installed() {
        return new Providers(ServiceLoader.load(RdmaProvider.class).stream()
                .map(found -> make(found.type().getName(), found))
                .toList());
    }

    /// A provider whose constructor fails must not hide the others: it stays in the list, as unavailable, with the
    /// reason.
    static RdmaProvider make(String className, Supplier<? extends RdmaProvider> maker) {
        try {
            return maker.get();
        } catch (ServiceConfigurationError | LinkageError | RuntimeException e) {
            Throwable reason = e instanceof ServiceConfigurationError && e.getCause() != null ? e.getCause() : e;
            return new Broken(
                    className,
                    Availability.unavailable(
                            "it could not be started: " + reason,
                            "fix that, or remove it from the module or class path"));
        }
    }

    List<RdmaProvider> all() {
        return all;
    }

    RdmaProvider preferred(String wanted) {
        if (wanted != null) {
            return chosen("any device", named(wanted), BY_PROPERTY);
        }
        for (RdmaProvider provider : all) {
            if (hasDevices(provider)) {
                return chosen("any device", provider, "the first with a device");
            }
        }
        throw new RdmaException("find a provider", Errno.ENODEV, describe());
    }

    RdmaProvider named(String name) {
        for (RdmaProvider provider : all) {
            if (provider.name().equals(name)) {
                Availability availability = provider.availability();
                if (!availability.isAvailable()) {
                    throw new RdmaException("use provider " + name, Errno.ENODEV, availability.toString());
                }
                return provider;
            }
        }
        throw new RdmaException("find provider " + name, Errno.ENODEV, describe());
    }

    List<Device> devices(String wanted) {
        List<Device> devices = new ArrayList<>();
        for (RdmaProvider provider : usable(wanted)) {
            devices.addAll(provider.devices());
        }
        return devices;
    }

    /// The connection manager of the wanted provider, else one that chooses a provider by address.
    ConnectionManager connectionManager(String wanted) {
        RdmaProvider first = preferred(wanted);
        return wanted != null || all.size() == 1 ? first.connectionManager() : byAddress;
    }

    /// The provider whose connection manager serves a local address: `local`, else the address that packets to `peer`
    /// leave from. The preferred provider when no address is known, or any will do.
    RdmaProvider serving(PortSpace space, InetAddress local, InetAddress peer) {
        List<RdmaProvider> candidates =
                all.stream().filter(Providers::hasDevices).toList();
        if (candidates.size() < 2) {
            return preferred(null);
        }
        InetAddress source = local != null && !local.isAnyLocalAddress() ? local : sourceTowards(peer);
        String asked = "a connection from " + (source == null ? "any address" : source.getHostAddress());
        if (source == null || source.isAnyLocalAddress()) {
            return chosen(asked, candidates.getFirst(), "the first with a device");
        }
        for (RdmaProvider provider : candidates.subList(0, candidates.size() - 1)) {
            if (binds(provider, space, source)) {
                return chosen(asked, provider, "it serves this address");
            }
        }
        // the software provider; its error explains what is wrong with the address
        return chosen(asked, candidates.getLast(), "no other provider serves this address");
    }

    /// Tells the flight recorder, if there is one.
    private RdmaProvider chosen(String asked, RdmaProvider provider, String reason) {
        if (HAS_RECORDER) {
            ProviderEvents.chosen(all, asked, provider, reason);
        }
        return provider;
    }

    /// Asks the connection manager, because the addresses of InfiniBand and iWARP devices are in no GID table.
    private static boolean binds(RdmaProvider provider, PortSpace space, InetAddress local) {
        try (ConnectionId probe = provider.connectionManager().createSynchronousId(space)) {
            probe.bind(new InetSocketAddress(local, 0));
            return true;
        } catch (RdmaException notItsAddress) {
            return false;
        }
    }

    /// The local address that packets to `peer` leave from, or null when there is no route.
    private static InetAddress sourceTowards(InetAddress peer) {
        if (peer == null) {
            return null;
        }
        try (DatagramSocket probe = new DatagramSocket()) {
            probe.connect(peer, 1); // sends nothing
            return probe.getLocalAddress();
        } catch (IOException | UncheckedIOException noWay) {
            return null;
        }
    }

    private static boolean hasDevices(RdmaProvider provider) {
        return provider.availability().isAvailable() && !provider.devices().isEmpty();
    }

    Device device(String nameOrAddress, String wanted) {
        Objects.requireNonNull(nameOrAddress, "the device's name or address is null");
        for (RdmaProvider provider : usable(wanted)) {
            Optional<Device> device = provider.device(nameOrAddress);
            if (device.isPresent()) {
                chosen(nameOrAddress, provider, wanted == null ? "the first that has it" : BY_PROPERTY);
                return device.get();
            }
        }
        throw new RdmaException(
                "find device " + nameOrAddress,
                Errno.ENODEV,
                reason(nameOrAddress, wanted)
                        + "; devices here: "
                        + devices(wanted).stream().map(Device::name).toList());
    }

    private static String reason(String nameOrAddress, String wanted) {
        if (isForeignAddress(nameOrAddress)) {
            return "it is no address of this host (`ip address` lists them)";
        }
        return wanted == null
                ? "no provider has it"
                : "provider " + wanted + ", which -D" + Rdma.PROVIDER_PROPERTY + " names, does not have it";
    }

    /// Whether it is an IP address that no interface of this host has.
    private static boolean isForeignAddress(String text) {
        try {
            InetAddress address = InetAddress.ofLiteral(text);
            return !address.isLoopbackAddress() && NetworkInterface.getByInetAddress(address) == null;
        } catch (IllegalArgumentException | SocketException e) {
            return false; // a device name, or an address that cannot be checked
        }
    }

    private List<RdmaProvider> usable(String wanted) {
        if (wanted != null) {
            return List.of(named(wanted));
        }
        return all.stream()
                .filter(provider -> provider.availability().isAvailable())
                .toList();
    }

    private String describe() {
        if (all.isEmpty()) {
            return "no provider is installed; put io.verbena.soft or io.verbena.rdmacore on the module or class path";
        }
        StringBuilder text = new StringBuilder("installed are");
        for (RdmaProvider provider : all) {
            text.append(' ')
                    .append(provider.name())
                    .append(" (")
                    .append(provider.availability())
                    .append(')');
        }
        return text.toString();
    }

    /// A provider whose constructor failed, under the name of its class.
    private record Broken(String name, Availability availability) implements RdmaProvider {
        @Override
        public List<Device> devices() {
            return List.of();
        }

        @Override
        public Optional<Device> device(String nameOrAddress) {
            return Optional.empty();
        }

        @Override
        public ConnectionManager connectionManager() {
            throw new RdmaException("use provider " + name, Errno.ENODEV, availability.toString());
        }
    }
}
