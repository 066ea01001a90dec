package io.verbena.soft.cm;

import java.net.Inet4Address;
import java.net.InetAddress;

/// The IP versions of the addresses that a bound address covers.
enum AddressFamily {
    IPV4,
    IPV6,
    /// The any-address of IPv6, unless it is for IPv6 only.
    BOTH;

    static AddressFamily of(InetAddress bound, boolean ipv6Only) {
        if (bound instanceof Inet4Address) {
            return IPV4;
        }
        return bound.isAnyLocalAddress() && !ipv6Only ? BOTH : IPV6;
    }

    boolean covers(InetAddress address) {
        return this == BOTH || this == (address instanceof Inet4Address ? IPV4 : IPV6);
    }

    boolean overlaps(AddressFamily other) {
        return this == BOTH || other == BOTH || this == other;
    }
}
