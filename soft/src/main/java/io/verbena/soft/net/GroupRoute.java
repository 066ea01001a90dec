package io.verbena.soft.net;

import io.verbena.verbs.Errno;
import io.verbena.verbs.RdmaException;
import java.io.IOException;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.StandardProtocolFamily;
import java.net.StandardSocketOptions;
import java.net.UnknownHostException;
import java.nio.channels.DatagramChannel;

/// The interface and route from a local address to multicast groups.
final class GroupRoute {
    private GroupRoute() {}

    /// The index of the interface for IPv6 groups, 0 for IPv4 or when unknown. Groups of interface and link scope
    /// (ff01, ff02) need it.
    static int scope(InetAddress local) {
        if (!(local instanceof Inet6Address six)) {
            return 0;
        }
        if (six.getScopeId() != 0) {
            return six.getScopeId();
        }
        NetworkInterface card = LocalInterface.of(local);
        return card == null ? 0 : card.getIndex();
    }

    /// The address with the interface in it.
    static InetAddress scoped(InetAddress address, int scope) {
        if (scope == 0 || !(address instanceof Inet6Address)) {
            return address;
        }
        try {
            return Inet6Address.getByAddress(null, address.getAddress(), scope);
        } catch (UnknownHostException impossible) {
            throw new AssertionError("an address of 16 bytes is always legal", impossible);
        }
    }

    /// Linux lets a socket join IPv6 groups on the loopback interface, but has no route to them: packets sent there are
    /// lost.
    static void require(InetAddress local, InetAddress group) {
        NetworkInterface card = local instanceof Inet6Address ? LocalInterface.of(local) : null;
        try {
            if (card == null || !card.isLoopback() || isReached(card, group)) {
                return;
            }
        } catch (IOException unknown) {
            return; // joining will tell
        }
        throw new RdmaException(
                Groups.verb(group, local),
                Errno.ENETUNREACH,
                "the system has no route to IPv6 groups over interface %s, so nothing would arrive; use an address of"
                                .formatted(card.getName())
                        + " another interface, or IPv4");
    }

    /// Connecting a datagram socket sends nothing, but fails without a route.
    private static boolean isReached(NetworkInterface card, InetAddress group) throws IOException {
        try (DatagramChannel probe = DatagramChannel.open(StandardProtocolFamily.INET6)) {
            probe.setOption(StandardSocketOptions.IP_MULTICAST_IF, card);
            try {
                probe.connect(new InetSocketAddress(scoped(group, card.getIndex()), Wires.PORT));
                return true;
            } catch (IOException noRoute) {
                return false;
            }
        }
    }
}
