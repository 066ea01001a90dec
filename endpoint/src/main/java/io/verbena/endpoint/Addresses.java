package io.verbena.endpoint;

import io.verbena.verbs.Errno;
import io.verbena.verbs.RdmaException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;

/// Addresses as programs give them and as people read them.
final class Addresses {
    private static final int MOST_PORT = 65_535;

    private Addresses() {}

    /// @param operation the beginning of what is told when there is no such host
    static InetSocketAddress of(String operation, String host, int port) {
        if (port < 0 || port > MOST_PORT) {
            throw new IllegalArgumentException("the port is %d; it must be 0 to %d".formatted(port, MOST_PORT));
        }
        try {
            return new InetSocketAddress(InetAddress.getByName(host), port);
        } catch (UnknownHostException e) {
            throw new RdmaException(
                    operation + " " + host,
                    Errno.EADDRNOTAVAIL,
                    "unknown host '" + host + "'; check its name, or use its address",
                    e);
        }
    }

    /// `10.0.0.2:7471` or `[fe80:0:0:0:0:0:0:1]:7471`.
    static String text(InetSocketAddress address) {
        return text(address.getAddress().getHostAddress(), address.getPort());
    }

    /// @param host a name, or an address
    static String text(String host, int port) {
        return (host.indexOf(':') < 0 ? host : "[" + host + "]") + ":" + port;
    }
}
