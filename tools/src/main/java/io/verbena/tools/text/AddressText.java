package io.verbena.tools.text;

import io.verbena.roce.dump.GidText;
import io.verbena.verbs.attr.Gid;
import java.net.InetAddress;
import java.net.InetSocketAddress;

/// IP addresses as people write them: `::1`, not `0:0:0:0:0:0:0:1`.
public final class AddressText {
    private AddressText() {}

    /// The text of an address, with its interface if it has one.
    public static String of(InetAddress address) {
        Gid gid = Gid.of(address);
        String full = address.getHostAddress();
        int scope = full.indexOf('%');
        return GidText.of(gid.high(), gid.low()) + (scope < 0 ? "" : full.substring(scope));
    }

    /// An address with its port: `127.0.0.1:7471`, `[::1]:7471`.
    public static String of(InetSocketAddress address) {
        String host = of(address.getAddress());
        return (host.contains(":") ? "[" + host + "]" : host) + ":" + address.getPort();
    }
}
