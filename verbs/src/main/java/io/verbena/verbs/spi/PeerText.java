package io.verbena.verbs.spi;

import java.net.Inet6Address;
import java.net.InetSocketAddress;

/// Names the peer of a connection in messages to people.
public final class PeerText {
    private PeerText() {}

    /// `10.0.0.2:7471`, an IPv6 address in brackets; the name of a host whose address is not known.
    public static String of(InetSocketAddress peer) {
        if (peer.isUnresolved()) {
            return peer.getHostString() + ":" + peer.getPort();
        }
        String host = peer.getAddress().getHostAddress();
        return (peer.getAddress() instanceof Inet6Address ? "[" + host + "]" : host) + ":" + peer.getPort();
    }

    /// A verb with the peer that it was called for: `rdma_connect 10.0.0.2:7471`.
    ///
    /// @param peer null when the id has none
    public static String verb(String verb, InetSocketAddress peer) {
        return peer == null ? verb : verb + " " + of(peer);
    }
}
