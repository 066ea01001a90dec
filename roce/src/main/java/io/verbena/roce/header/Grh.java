package io.verbena.roce.header;

import io.verbena.roce.bytes.BigEndian;
import java.lang.foreign.MemorySegment;

/// Reads the 40 bytes in front of a received datagram: the IPv6 header it came with, or 20 bytes of nothing and the
/// IPv4 header. Addresses are two longs in GID form. Counterpart of `struct ibv_grh`.
public final class Grh {
    public static final int BYTES = 40;

    private static final int IPV4_AT = 20;
    private static final int IPV4_BYTES = 20;
    private static final int VERSION_AND_LENGTH = 0x45;
    private static final int RIGHT_SUM = 0xFFFF;
    private static final long IPV4_PREFIX = 0xFFFFL << 32;

    private Grh() {}

    /// IPv4 wins where both look plausible and its checksum holds, as in the kernel.
    public static boolean isIpv4(MemorySegment p) {
        boolean looksLikeIpv6 = BigEndian.u8(p, 0) >>> 4 == 6;
        return BigEndian.u8(p, IPV4_AT) == VERSION_AND_LENGTH && (!looksLikeIpv6 || sum(p) == RIGHT_SUM);
    }

    /// The one's complement sum of the IPv4 header.
    private static int sum(MemorySegment p) {
        int sum = 0;
        for (int i = 0; i < IPV4_BYTES; i += 2) {
            sum += BigEndian.u16(p, IPV4_AT + i);
        }
        sum = (sum & 0xFFFF) + (sum >>> 16);
        return (sum & 0xFFFF) + (sum >>> 16);
    }

    /// The first half of the address of the sender.
    public static long sourceHigh(MemorySegment p) {
        return isIpv4(p) ? 0 : BigEndian.i64(p, 8);
    }

    /// The second half of the address of the sender.
    public static long sourceLow(MemorySegment p) {
        return isIpv4(p) ? ipv4(p, IPV4_AT + 12) : BigEndian.i64(p, 16);
    }

    /// The first half of the address it was sent to.
    public static long destinationHigh(MemorySegment p) {
        return isIpv4(p) ? 0 : BigEndian.i64(p, 24);
    }

    /// The second half of the address it was sent to.
    public static long destinationLow(MemorySegment p) {
        return isIpv4(p) ? ipv4(p, IPV4_AT + 16) : BigEndian.i64(p, 32);
    }

    /// The traffic class, or type of service with IPv4.
    public static int trafficClass(MemorySegment p) {
        return isIpv4(p) ? BigEndian.u8(p, IPV4_AT + 1) : BigEndian.i32(p, 0) >>> 20 & 0xFF;
    }

    /// The hop limit, or time to live with IPv4.
    public static int hopLimit(MemorySegment p) {
        return BigEndian.u8(p, isIpv4(p) ? IPV4_AT + 8 : 7);
    }

    /// The flow label; 0 with IPv4.
    public static int flowLabel(MemorySegment p) {
        return isIpv4(p) ? 0 : BigEndian.i32(p, 0) & 0xF_FFFF;
    }

    private static long ipv4(MemorySegment p, int at) {
        return IPV4_PREFIX | BigEndian.i32(p, at) & 0xFFFF_FFFFL;
    }
}
