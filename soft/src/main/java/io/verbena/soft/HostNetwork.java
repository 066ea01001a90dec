package io.verbena.soft;

import io.verbena.soft.engine.Engine;
import io.verbena.soft.engine.NanoClock;
import io.verbena.soft.engine.Simulation;
import io.verbena.soft.net.Wire;
import io.verbena.soft.net.Wires;
import io.verbena.verbs.Errno;
import io.verbena.verbs.RdmaException;
import java.io.IOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.random.RandomGenerator;

/// The addresses of this host, each a device.
final class HostNetwork implements Network, Host {
    private static final int LOOPBACK_ATTEMPTS = 64;
    private static final byte[] FIRST_LOOPBACK = {127, 0, 0, 1};

    private final RandomGenerator random = new SecureRandom();
    private final Map<InetAddress, SoftDevice> devices = new ConcurrentHashMap<>();

    @Override
    public SoftDevice at(InetAddress local) {
        if (!isLocal(local)) {
            throw new RdmaException(
                    "open soft device " + local.getHostAddress(),
                    Errno.EADDRNOTAVAIL,
                    "not an address of this host; its addresses are " + addresses());
        }
        return devices.computeIfAbsent(local, address -> new SoftDevice(address, this));
    }

    @Override
    public Wire openWire(InetAddress local) {
        return Wires.open(local);
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

    /// A peer on this host needs two devices with two addresses, unless this very process has the peer's: a
    /// loopback address for us, because all of 127.0.0.0/8 is local. Otherwise the address that the route to the
    /// peer starts from.
    @Override
    public SoftDevice towards(InetAddress peer) {
        SoftDevice own = devices.get(peer);
        if (own != null && own.isOpen()) {
            return own;
        }
        return isLocal(peer) ? freeLoopback() : at(sourceTowards(peer));
    }

    private SoftDevice freeLoopback() {
        for (SoftDevice device : devices.values()) {
            if (device.address().isLoopbackAddress() && device.isOpen()) {
                return device;
            }
        }
        for (int attempt = 0; attempt < LOOPBACK_ATTEMPTS; attempt++) {
            byte[] raw = {127, (byte) random.nextInt(1, 255), (byte) random.nextInt(256), (byte) random.nextInt(1, 255)
            };
            SoftDevice device = at(address(raw));
            if (isFree(device.address())) {
                return device;
            }
            devices.remove(device.address(), device);
        }
        throw new RdmaException(
                "find a free loopback address",
                Errno.EADDRINUSE,
                "none of " + LOOPBACK_ATTEMPTS
                        + " addresses in 127.0.0.0/8 can be used with UDP port 4791; on systems with"
                        + " 127.0.0.1 only, add one (ifconfig lo0 alias 127.0.0.2) and name it");
    }

    private static boolean isFree(InetAddress address) {
        try (DatagramSocket probe = new DatagramSocket(new InetSocketAddress(address, Wires.PORT))) {
            return probe.isBound();
        } catch (SocketException taken) {
            return false;
        }
    }

    private static InetAddress sourceTowards(InetAddress peer) {
        try (DatagramSocket probe = new DatagramSocket()) {
            probe.connect(new InetSocketAddress(peer, Wires.PORT));
            return probe.getLocalAddress();
        } catch (IOException | RuntimeException e) {
            throw new RdmaException(
                    "find a route to " + peer.getHostAddress(), Errno.EHOSTUNREACH, "no route; check the address", e);
        }
    }

    /// Besides the interfaces' addresses those of devices this process has open: only one of them may be 127.0.0.1.
    @Override
    public List<SoftDevice> all() {
        Set<SoftDevice> all = new LinkedHashSet<>();
        addresses().forEach(address -> all.add(at(address)));
        devices.values().stream().filter(SoftDevice::isOpen).forEach(all::add);
        return List.copyOf(all);
    }

    private static boolean isLocal(InetAddress address) {
        if (address.isLoopbackAddress()) {
            return true;
        }
        try {
            return NetworkInterface.getByInetAddress(address) != null;
        } catch (SocketException e) {
            return false;
        }
    }

    /// The IPv4 addresses of interfaces that are up, 127.0.0.1 first.
    private static List<InetAddress> addresses() {
        List<InetAddress> found = new ArrayList<>(List.of(address(FIRST_LOOPBACK)));
        try {
            NetworkInterface.networkInterfaces()
                    .filter(HostNetwork::isUp)
                    .flatMap(NetworkInterface::inetAddresses)
                    .filter(a -> a.getAddress().length == 4 && !found.contains(a))
                    .forEach(found::add);
        } catch (SocketException e) {
            // Only the list is shorter for it: 127.0.0.1 is always there.
            return found;
        }
        return found;
    }

    private static boolean isUp(NetworkInterface candidate) {
        try {
            return candidate.isUp();
        } catch (SocketException e) {
            return false;
        }
    }

    private static InetAddress address(byte[] raw) {
        try {
            return InetAddress.getByAddress(raw);
        } catch (UnknownHostException e) {
            throw new IllegalArgumentException("an address of " + raw.length + " bytes", e);
        }
    }
}
