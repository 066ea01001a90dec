package io.verbena.roce.dump;

import io.verbena.roce.packet.RoceConstants;
import java.nio.ByteBuffer;

/// Writes the IP and UDP headers a transport packet travels under, with "don't fragment" set. The UDP checksum is there
/// over IPv6 only, where readers complain without.
final class IpUdpHeader {
    static final int IPV4_BYTES = 20;
    static final int IPV6_BYTES = 40;
    static final int UDP_BYTES = 8;
    static final int UDP_PROTOCOL = 17;

    static final int HOP_LIMIT = 64;
    static final int CLASS_AT = 20;

    private static final int IPV4_FIRST_BYTE = 0x45;
    private static final int IPV6_FIRST_BYTE = 0x60;
    private static final int DONT_FRAGMENT = 0x4000;
    private static final int IPV4_CHECKSUM_AT = 10;
    private static final int IPV6_ADDRESSES_AT = 8;
    private static final int UDP_CHECKSUM_AT = 6;

    private IpUdpHeader() {}

    static boolean isIpv4(long hi, long lo) {
        return hi == 0 && lo >>> 32 == 0xFFFF;
    }

    /// Puts both headers at the position of `out`, in front of `transportBytes` bytes yet to come.
    ///
    /// @param flow traffic class and flow label as the first word of an IPv6 header has them; IPv4 has no label
    static void put(
            ByteBuffer out,
            long srcHi,
            long srcLo,
            int srcPort,
            long dstHi,
            long dstLo,
            int flow,
            int hopLimit,
            int ipv4Identification,
            int transportBytes) {
        int udpLength = UDP_BYTES + transportBytes;
        if (isIpv4(srcHi, srcLo)) {
            putIpv4(out, (int) srcLo, (int) dstLo, flow >>> CLASS_AT, hopLimit, ipv4Identification, udpLength);
        } else {
            putIpv6(out, srcHi, srcLo, dstHi, dstLo, flow, hopLimit, udpLength);
        }
        out.putShort((short) srcPort).putShort((short) RoceConstants.UDP_PORT);
        out.putShort((short) udpLength).putShort((short) 0);
    }

    private static void putIpv4(
            ByteBuffer out, int src, int dst, int trafficClass, int hopLimit, int identification, int udpLength) {
        int start = out.position();
        out.putShort((short) (IPV4_FIRST_BYTE << 8 | trafficClass)).putShort((short) (IPV4_BYTES + udpLength));
        out.putShort((short) identification).putShort((short) DONT_FRAGMENT);
        out.put((byte) hopLimit).put((byte) UDP_PROTOCOL).putShort((short) 0);
        out.putInt(src).putInt(dst);
        out.putShort(start + IPV4_CHECKSUM_AT, (short) checksum(out, start));
    }

    private static void putIpv6(
            ByteBuffer out, long srcHi, long srcLo, long dstHi, long dstLo, int flow, int hopLimit, int udpLength) {
        out.putInt(IPV6_FIRST_BYTE << 24 | flow).putShort((short) udpLength);
        out.put((byte) UDP_PROTOCOL).put((byte) hopLimit);
        out.putLong(srcHi).putLong(srcLo).putLong(dstHi).putLong(dstLo);
    }

    /// Fills in the UDP checksum of the IPv6 packet in `[start, end)`, once its data are there.
    static void putUdpChecksum(ByteBuffer out, int start, int end) {
        int udp = start + IPV6_BYTES;
        // The pseudo header: both addresses, length, protocol.
        int checksum = ~sum(out, start + IPV6_ADDRESSES_AT, end, end - udp + UDP_PROTOCOL) & 0xFFFF;
        out.putShort(udp + UDP_CHECKSUM_AT, (short) (checksum == 0 ? 0xFFFF : checksum));
    }

    private static int checksum(ByteBuffer bytes, int start) {
        return ~sum(bytes, start, start + IPV4_BYTES, 0) & 0xFFFF;
    }

    private static int sum(ByteBuffer bytes, int start, int end, int first) {
        long sum = first;
        for (int at = start; at < end; at += Short.BYTES) {
            sum += at + 1 < end ? Short.toUnsignedInt(bytes.getShort(at)) : Byte.toUnsignedInt(bytes.get(at)) << 8;
        }
        while (sum >>> 16 != 0) {
            sum = (sum & 0xFFFF) + (sum >>> 16);
        }
        return (int) sum;
    }
}
