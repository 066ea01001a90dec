package io.verbena.rdmacore.layout;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import io.verbena.rdmacore.lib.Memory;
import io.verbena.verbs.Errno;
import io.verbena.verbs.RdmaException;
import java.lang.foreign.MemorySegment;
import java.net.Inet4Address;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;

/// `struct sockaddr_in` and `struct sockaddr_in6`: where an [InetSocketAddress] is in C.
public final class SocketAddress {
    /// Of `struct sockaddr_storage`, which holds either.
    public static final long SIZE = 128;

    static final int IPV4 = 2;
    static final int IPV6 = 10;

    static final long FAMILY = 0;
    /// In network order, as all that follows but the scope.
    static final long PORT = 2;

    static final long IPV4_ADDRESS = 4;
    static final long IPV6_ADDRESS = 8;
    static final long IPV6_SCOPE = 24;

    private SocketAddress() {}

    /// Throws EINVAL for a host name that was not resolved.
    public static void put(String verb, long at, InetSocketAddress address) {
        if (address.isUnresolved()) {
            throw new RdmaException(
                    verb, Errno.EINVAL, "host " + address.getHostString() + " has no known IP address; check its name");
        }
        Memory.clear(at, SIZE);
        byte[] raw = address.getAddress().getAddress();
        boolean isIpv4 = address.getAddress() instanceof Inet4Address;
        Memory.putShort(at + FAMILY, (short) (isIpv4 ? IPV4 : IPV6));
        Memory.putByte(at + PORT, (byte) (address.getPort() >> 8));
        Memory.putByte(at + PORT + 1, (byte) address.getPort());
        long to = at + (isIpv4 ? IPV4_ADDRESS : IPV6_ADDRESS);
        MemorySegment.copy(raw, 0, Memory.segment(to, raw.length), JAVA_BYTE, 0, raw.length);
        if (address.getAddress() instanceof Inet6Address ipv6) {
            Memory.putInt(at + IPV6_SCOPE, ipv6.getScopeId());
        }
    }

    /// Null when there is none, or none of the two families.
    public static InetSocketAddress get(long at) {
        int port =
                Byte.toUnsignedInt(Memory.getByte(at + PORT)) << 8 | Byte.toUnsignedInt(Memory.getByte(at + PORT + 1));
        return switch (Memory.getShort(at + FAMILY)) {
            case IPV4 -> new InetSocketAddress(address(at + IPV4_ADDRESS, 4), port);
            case IPV6 -> new InetSocketAddress(ipv6(at), port);
            default -> null;
        };
    }

    private static InetAddress ipv6(long at) {
        int scope = Memory.getInt(at + IPV6_SCOPE);
        InetAddress plain = address(at + IPV6_ADDRESS, 16);
        if (scope == 0 || !(plain instanceof Inet6Address)) {
            return plain;
        }
        try {
            return Inet6Address.getByAddress(null, plain.getAddress(), scope);
        } catch (UnknownHostException impossible) {
            throw new AssertionError("an address of 16 bytes is always legal", impossible);
        }
    }

    private static InetAddress address(long at, int bytes) {
        try {
            return InetAddress.getByAddress(Memory.segment(at, bytes).toArray(JAVA_BYTE));
        } catch (UnknownHostException impossible) {
            throw new AssertionError("an address of 4 or 16 bytes is always legal", impossible);
        }
    }
}
