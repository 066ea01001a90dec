package io.verbena.soft.device;

import io.verbena.soft.net.Wires;
import io.verbena.verbs.Errno;
import io.verbena.verbs.RdmaException;
import java.io.IOException;
import java.net.BindException;
import java.net.DatagramSocket;
import java.net.Inet4Address;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/// The IP addresses of this host.
final class LocalAddresses {
    private static final InetAddress FIRST_LOOPBACK = InetAddress.ofLiteral("127.0.0.1");

    private LocalAddresses() {}

    /// The addresses of interfaces that are up: 127.0.0.1, the others of IPv4, those of IPv6, and `::1` last.
    /// Link-local ones are left out: a GID has no room for the interface that they need. They work when named.
    static List<InetAddress> all() {
        List<InetAddress> found = new ArrayList<>(List.of(FIRST_LOOPBACK));
        List<InetAddress> others = ofInterfaces();
        add(found, others, address -> address instanceof Inet4Address);
        add(found, others, address -> isGlobal6(address) && !address.isLoopbackAddress());
        add(found, others, address -> isGlobal6(address) && address.isLoopbackAddress());
        return found;
    }

    private static void add(List<InetAddress> found, List<InetAddress> all, Predicate<InetAddress> wanted) {
        all.stream().filter(wanted).filter(address -> !found.contains(address)).forEach(found::add);
    }

    private static boolean isGlobal6(InetAddress address) {
        return address instanceof Inet6Address && !address.isLinkLocalAddress();
    }

    /// All of 127.0.0.0/8 is local, although the interface lists only 127.0.0.1.
    static boolean isLocal(InetAddress address) {
        return address.isLoopbackAddress() || card(address) != null;
    }

    /// The same address, with the interface that a link-local one of IPv6 is on, should it be missing.
    static InetAddress withInterface(InetAddress address) {
        if (!address.isLinkLocalAddress() || !(address instanceof Inet6Address six) || six.getScopeId() != 0) {
            return address;
        }
        NetworkInterface card = card(address);
        return card == null
                ? address
                : card.inetAddresses().filter(address::equals).findFirst().orElse(address);
    }

    /// Whether the RoCEv2 port of an address is free.
    static boolean isFree(InetAddress address) {
        try (DatagramSocket probe = new DatagramSocket(new InetSocketAddress(address, Wires.PORT))) {
            return probe.isBound();
        } catch (SocketException taken) {
            return false;
        }
    }

    /// Whether the host has an address just now. Binding to it is the cheapest check, whatever the number of
    /// interfaces. Only after a refusal, which may have other causes, the interfaces are searched.
    static boolean isPresent(InetAddress address) {
        try (DatagramSocket probe = new DatagramSocket(new InetSocketAddress(address, 0))) {
            return probe.isBound();
        } catch (BindException refused) {
            NetworkInterface card = card(address);
            return card != null && isUp(card);
        } catch (SocketException noSocket) {
            return true;
        }
    }

    /// The address that the route to a peer starts from.
    static InetAddress sourceTowards(InetAddress peer) {
        try (DatagramSocket probe = new DatagramSocket()) {
            probe.connect(new InetSocketAddress(peer, Wires.PORT));
            return probe.getLocalAddress();
        } catch (IOException | RuntimeException e) {
            throw new RdmaException(
                    "find a route to " + peer.getHostAddress(), Errno.EHOSTUNREACH, "no route; check the address", e);
        }
    }

    /// Empty when the system refuses to list them; 127.0.0.1 exists all the same.
    private static List<InetAddress> ofInterfaces() {
        try {
            return NetworkInterface.networkInterfaces()
                    .filter(LocalAddresses::isUp)
                    .flatMap(NetworkInterface::inetAddresses)
                    .toList();
        } catch (SocketException e) {
            return List.of();
        }
    }

    private static NetworkInterface card(InetAddress address) {
        try {
            return NetworkInterface.getByInetAddress(address);
        } catch (SocketException e) {
            return null;
        }
    }

    private static boolean isUp(NetworkInterface candidate) {
        try {
            return candidate.isUp();
        } catch (SocketException e) {
            return false;
        }
    }
}
