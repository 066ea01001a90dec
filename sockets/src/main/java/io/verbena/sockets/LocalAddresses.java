package io.verbena.sockets;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.DatagramSocket;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.util.ArrayList;
import java.util.List;

/// The addresses of this host.
final class LocalAddresses {
    private LocalAddresses() {}

    /// The address from which a peer is reached; null when there is no route. A peer on this host is reached from its
    /// own address.
    static InetAddress towards(InetAddress peer) {
        if (peer.isAnyLocalAddress()) {
            return loopback(peer);
        }
        if (peer.isLoopbackAddress() || isOfThisHost(peer)) {
            return peer;
        }
        try (DatagramSocket probe = new DatagramSocket()) {
            probe.connect(peer, 1); // sends nothing
            return probe.getLocalAddress();
        } catch (IOException | UncheckedIOException noRoute) {
            return null;
        }
    }

    /// A connect to the any-address means this host.
    static InetAddress loopback(InetAddress kind) {
        return InetAddress.ofLiteral(kind instanceof Inet4Address ? "127.0.0.1" : "::1");
    }

    private static boolean isOfThisHost(InetAddress address) {
        try {
            return NetworkInterface.getByInetAddress(address) != null;
        } catch (SocketException e) {
            return false;
        }
    }

    /// All addresses that the any-address stands for.
    static List<InetAddress> all(boolean ipv4Only) {
        List<InetAddress> found = new ArrayList<>();
        try {
            NetworkInterface.networkInterfaces()
                    .flatMap(NetworkInterface::inetAddresses)
                    .filter(address -> !address.isLinkLocalAddress())
                    .filter(address -> !ipv4Only || address instanceof Inet4Address)
                    .forEach(found::add);
        } catch (SocketException e) {
            found.add(InetAddress.ofLiteral("127.0.0.1"));
        }
        return found;
    }
}
