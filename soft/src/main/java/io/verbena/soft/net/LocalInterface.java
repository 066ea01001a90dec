package io.verbena.soft.net;

import io.verbena.verbs.Errno;
import io.verbena.verbs.RdmaException;
import io.verbena.verbs.attr.Mtu;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;

/// The network interface of a local address, and its MTU.
final class LocalInterface {
    /// IPv6 and UDP headers, the longest transport headers, and ICRC, which count towards the MTU of the interface.
    private static final int HEADER_BYTES = 80;

    private static final int USUAL_MTU = 1500;

    private LocalInterface() {}

    /// The largest RoCE MTU, in payload bytes, that fits the interface of a local address.
    static int maxPayload(InetAddress local) {
        try {
            NetworkInterface card = find(local);
            return card == null ? payload(local, "?", USUAL_MTU) : payload(local, card.getName(), card.getMTU());
        } catch (SocketException e) {
            return payload(local, "?", USUAL_MTU);
        }
    }

    static int payload(InetAddress local, String card, int mtu) {
        int room = mtu - HEADER_BYTES;
        if (room < Mtu.MTU_256.bytes()) {
            String explanation = "interface %s has an MTU of %d bytes, RoCEv2 needs at least %d; raise it with"
                    + " `ip link set %s mtu 1500`";
            throw new RdmaException(
                    OpenFailure.verb(local),
                    Errno.EMSGSIZE,
                    explanation.formatted(card, mtu, Mtu.MTU_256.bytes() + HEADER_BYTES, card));
        }
        return Mtu.largestWithin(room).bytes();
    }

    /// The interface of a local address, or null.
    static NetworkInterface of(InetAddress local) {
        try {
            return find(local);
        } catch (SocketException e) {
            return null;
        }
    }

    private static NetworkInterface find(InetAddress local) throws SocketException {
        NetworkInterface card = NetworkInterface.getByInetAddress(local);
        if (card == null && local.isLoopbackAddress()) {
            // All of 127/8 is local, but the loopback interface lists only 127.0.0.1.
            return NetworkInterface.networkInterfaces()
                    .filter(LocalInterface::isLoopback)
                    .findFirst()
                    .orElse(null);
        }
        return card;
    }

    private static boolean isLoopback(NetworkInterface card) {
        try {
            return card.isLoopback();
        } catch (SocketException gone) {
            return false;
        }
    }
}
