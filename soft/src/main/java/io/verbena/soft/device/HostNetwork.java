package io.verbena.soft.device;

import io.verbena.soft.engine.Engine;
import io.verbena.soft.engine.Simulation;
import io.verbena.soft.local.LocalDevice;
import io.verbena.soft.local.LocalDevices;
import io.verbena.soft.net.AddressText;
import io.verbena.soft.net.ClosedPort;
import io.verbena.soft.net.Wire;
import io.verbena.soft.net.Wires;
import io.verbena.soft.option.SoftOptions;
import io.verbena.soft.os.NanoClock;
import io.verbena.verbs.Errno;
import io.verbena.verbs.RdmaException;
import io.verbena.verbs.spi.Availability;
import java.net.Inet4Address;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.security.SecureRandom;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.random.RandomGenerator;

/// The software devices of this host, one for each IP address.
public final class HostNetwork implements Network, DeviceEnvironment {
    private static final int LOOPBACK_ATTEMPTS = 64;

    private final RandomGenerator random = new SecureRandom();

    /// By the text of the address, because Java takes a link-local address on two interfaces for the same.
    private final Map<String, SoftDevice> devices = new ConcurrentHashMap<>();

    private volatile Consumer<SoftDevice> openListener = device -> {};

    @Override
    public SoftDevice at(InetAddress local) {
        if (!LocalAddresses.isLocal(local)) {
            throw new RdmaException(
                    "open soft device " + AddressText.of(local),
                    Errno.EADDRNOTAVAIL,
                    "not an address of this host; its addresses are "
                            + LocalAddresses.all().stream().map(AddressText::of).toList());
        }
        InetAddress address = LocalAddresses.withInterface(local);
        return devices.computeIfAbsent(AddressText.of(address), text -> new SoftDevice(address, this));
    }

    @Override
    public Wire openWire(InetAddress local, SoftOptions options) {
        return Wires.open(local, options);
    }

    @Override
    public Wire openAnother(Wire first, SoftOptions options) {
        return Wires.another(first, options);
    }

    @Override
    public LocalDevice share(InetAddress local, Wire wire, SoftOptions options, Consumer<Availability> found) {
        return LocalDevices.open(local, wire, options, found);
    }

    @Override
    public boolean hasAddress(InetAddress local) {
        return local.isLoopbackAddress() || LocalAddresses.isPresent(local);
    }

    /// Sets the listener for devices that are opened.
    public void onOpen(Consumer<SoftDevice> listener) {
        openListener = listener;
    }

    @Override
    public void onOpen(SoftDevice device) {
        openListener.accept(device);
    }

    @Override
    public NanoClock clock() {
        return NanoClock.SYSTEM;
    }

    @Override
    public RandomGenerator random() {
        return random;
    }

    @Override
    public Simulation simulation() {
        return null;
    }

    @Override
    public void start(Engine engine, String name) {
        engine.driver().start(name);
    }

    @Override
    public void stop(Engine engine) {
        engine.driver().stop();
    }

    /// Towards a peer on this host the peer's own address, if this very process has it open. Otherwise another one,
    /// because not all systems let processes share an address: with IPv4 a loopback address, because all of 127.0.0.0/8
    /// is local; with IPv6 a free address of this host, or if there is none, because `::1` is alone, the peer's.
    /// Towards
    /// other hosts the address that the route to the peer starts from.
    @Override
    public SoftDevice deviceTowards(InetAddress peer) {
        SoftDevice own = ownDevice(peer);
        if (own != null) {
            return own;
        }
        if (!LocalAddresses.isLocal(peer)) {
            return at(LocalAddresses.sourceTowards(peer));
        }
        return peer instanceof Inet4Address ? freeLoopback() : free6(peer);
    }

    @Override
    public boolean isVacant(InetAddress peer) {
        return ownDevice(peer) == null && ClosedPort.isAt(peer);
    }

    /// The device that this process has open at an address, or null.
    private SoftDevice ownDevice(InetAddress address) {
        SoftDevice own = devices.get(AddressText.of(LocalAddresses.withInterface(address)));
        return own != null && own.isOpen() ? own : null;
    }

    private SoftDevice freeLoopback() {
        Optional<SoftDevice> open = open(address -> address instanceof Inet4Address && address.isLoopbackAddress());
        if (open.isPresent()) {
            return open.get();
        }
        for (int attempt = 0; attempt < LOOPBACK_ATTEMPTS; attempt++) {
            String address =
                    "127.%d.%d.%d".formatted(random.nextInt(1, 255), random.nextInt(256), random.nextInt(1, 255));
            SoftDevice device = at(InetAddress.ofLiteral(address));
            if (LocalAddresses.isFree(device.address())) {
                return device;
            }
            devices.remove(AddressText.of(device.address()), device);
        }
        throw new RdmaException(
                "find a free loopback address",
                Errno.EADDRINUSE,
                "none of " + LOOPBACK_ATTEMPTS
                        + " addresses in 127.0.0.0/8 can be used with UDP port 4791; on systems with"
                        + " 127.0.0.1 only, add one (ifconfig lo0 alias 127.0.0.2) and name it");
    }

    private SoftDevice free6(InetAddress peer) {
        Predicate<InetAddress> usable = address -> address instanceof Inet6Address && !address.isLinkLocalAddress();
        return open(usable)
                .orElseGet(() -> at(LocalAddresses.all().stream()
                        .filter(usable.and(LocalAddresses::isFree))
                        .findFirst()
                        .orElse(peer)));
    }

    private Optional<SoftDevice> open(Predicate<InetAddress> wanted) {
        return devices.values().stream()
                .filter(device -> device.isOpen() && wanted.test(device.address()))
                .findFirst();
    }

    /// The devices that this process has used, among them all that are open.
    public Collection<SoftDevice> opened() {
        return devices.values();
    }

    /// Besides the interfaces' addresses those of devices this process has open: of 127.0.0.0/8, 127.0.0.1 alone is
    /// an interface's.
    @Override
    public List<SoftDevice> all() {
        Set<SoftDevice> all = new LinkedHashSet<>();
        LocalAddresses.all().forEach(address -> all.add(at(address)));
        devices.values().stream().filter(SoftDevice::isOpen).forEach(all::add);
        return List.copyOf(all);
    }
}
