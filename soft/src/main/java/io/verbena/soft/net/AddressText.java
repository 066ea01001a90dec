package io.verbena.soft.net;

import io.verbena.roce.dump.GidText;
import io.verbena.verbs.attr.Gid;
import java.net.Inet6Address;
import java.net.InetAddress;

/// IP addresses as people write them: `::1`, not `0:0:0:0:0:0:0:1`, with the interface where it matters.
public final class AddressText {
    private AddressText() {}

    public static String of(InetAddress address) {
        Gid gid = Gid.of(address);
        String text = GidText.of(gid.high(), gid.low());
        return address.isLinkLocalAddress() && address instanceof Inet6Address six ? text + scope(six) : text;
    }

    private static String scope(Inet6Address address) {
        String text = address.getHostAddress();
        int at = text.indexOf('%');
        return at < 0 ? "" : text.substring(at);
    }
}
