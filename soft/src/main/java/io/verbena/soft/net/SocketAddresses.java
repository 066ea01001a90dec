package io.verbena.soft.net;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.Inet4Address;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.nio.ByteOrder;

/// Converts between GID form and `struct sockaddr_in` or `sockaddr_in6`, depending on the local address.
final class SocketAddresses {
    /// Room for either struct, rounded up.
    static final int SLOT_BYTES = 32;

    private static final int IPV4_FAMILY = 2;
    private static final int IPV6_FAMILY = 10;
    private static final int IPV4_BYTES = 16;
    private static final int IPV6_BYTES = 28;
    private static final int PORT_AT = 2;
    private static final int IPV4_ADDRESS_AT = 4;
    private static final int IPV6_FLOW_AT = 4;
    private static final int IPV6_ADDRESS_AT = 8;
    private static final int IPV6_SCOPE_AT = 24;
    private static final long IPV4_PREFIX = 0xFFFF_0000_0000L;
    private static final long LINK_LOCAL_PREFIX = 0xFE80L << 48;

    private static final ValueLayout.OfShort PORT = JAVA_SHORT.withOrder(ByteOrder.BIG_ENDIAN);
    private static final ValueLayout.OfInt NETWORK_INT = JAVA_INT.withOrder(ByteOrder.BIG_ENDIAN);
    private static final ValueLayout.OfLong NETWORK_LONG = ValueLayout.JAVA_LONG.withOrder(ByteOrder.BIG_ENDIAN);

    private final boolean ipv4;
    private final int scope;
    private final int groupScope;

    SocketAddresses(InetAddress local) {
        ipv4 = local instanceof Inet4Address;
        scope = local instanceof Inet6Address six ? six.getScopeId() : 0;
        groupScope = GroupRoute.scope(local);
    }

    static boolean isIpv4(long high, long low) {
        return high == 0 && low >>> 32 == IPV4_PREFIX >>> 32;
    }

    /// Whether the address is an IPv4 or IPv6 multicast group.
    static boolean isGroup(long high, long low) {
        return high >>> 56 == 0xFF || isIpv4(high, low) && (low >>> 28 & 0xF) == 0xE;
    }

    boolean isIpv4() {
        return ipv4;
    }

    int family() {
        return ipv4 ? IPV4_FAMILY : IPV6_FAMILY;
    }

    int bytes() {
        return ipv4 ? IPV4_BYTES : IPV6_BYTES;
    }

    /// Whether a socket of this family reaches the address.
    boolean reaches(long high, long low) {
        return isIpv4(high, low) == ipv4;
    }

    /// Writes the fields that are the same in all addresses.
    void prepare(MemorySegment names, long at, int port) {
        names.set(JAVA_SHORT, at, (short) family());
        names.set(PORT, at + PORT_AT, (short) port);
    }

    /// @param flowLabel of IPv6; 0 leaves it to the system
    void write(MemorySegment names, long at, long high, long low, int flowLabel) {
        if (ipv4) {
            names.set(NETWORK_INT, at + IPV4_ADDRESS_AT, (int) low);
        } else {
            names.set(NETWORK_LONG, at + IPV6_ADDRESS_AT, high);
            names.set(NETWORK_LONG, at + IPV6_ADDRESS_AT + 8, low);
            names.set(NETWORK_INT, at + IPV6_FLOW_AT, flowLabel);
            boolean linkLocal = (high & 0xFFC0L << 48) == LINK_LOCAL_PREFIX;
            names.set(JAVA_INT, at + IPV6_SCOPE_AT, linkLocal ? scope : isGroup(high, low) ? groupScope : 0);
        }
    }

    int port(MemorySegment names, long at) {
        return Short.toUnsignedInt(names.get(PORT, at + PORT_AT));
    }

    long high(MemorySegment names, long at) {
        return ipv4 ? 0 : names.get(NETWORK_LONG, at + IPV6_ADDRESS_AT);
    }

    long low(MemorySegment names, long at) {
        return ipv4
                ? IPV4_PREFIX | Integer.toUnsignedLong(names.get(NETWORK_INT, at + IPV4_ADDRESS_AT))
                : names.get(NETWORK_LONG, at + IPV6_ADDRESS_AT + 8);
    }
}
