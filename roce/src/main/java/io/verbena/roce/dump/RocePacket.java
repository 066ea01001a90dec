package io.verbena.roce.dump;

import io.verbena.roce.bytes.BigEndian;
import io.verbena.roce.header.Bth;
import io.verbena.roce.packet.RoceConstants;
import java.lang.foreign.MemorySegment;

/// A captured IP packet taken apart as far as the BTH.
///
/// @param bytes from the IP header to the ICRC
/// @param identification of the IPv4 header; 0 for IPv6
/// @param transportAt where the BTH starts; it ends with `bytes`
public record RocePacket(
        MemorySegment bytes,
        long srcHi,
        long srcLo,
        int srcPort,
        long dstHi,
        long dstLo,
        int identification,
        int trafficClass,
        int hopLimit,
        int transportAt) {

    private static final int SMALLEST_TRANSPORT = Bth.BYTES + RoceConstants.ICRC_BYTES;
    private static final int FRAGMENT_BITS = 0x3FFF;
    private static final long IPV4_MAPPED = 0xFFFF_0000_0000L;

    /// Takes a packet apart.
    ///
    /// @throws MalformedPacketException when it is not a complete RoCEv2 packet
    public static RocePacket of(byte[] ipPacket) {
        MemorySegment p = MemorySegment.ofArray(ipPacket).asReadOnly();
        require(ipPacket.length > 0, "no bytes");
        int version = BigEndian.u8(p, 0) >>> 4;
        return switch (version) {
            case 4 -> ofIpv4(p);
            case 6 -> ofIpv6(p);
            default -> throw new MalformedPacketException("IP version is " + version);
        };
    }

    /// Whether the packet came over IPv4, not IPv6.
    public boolean isIpv4() {
        return IpUdpHeader.isIpv4(srcHi, srcLo);
    }

    /// Where the UDP header starts.
    public int udpAt() {
        return transportAt - IpUdpHeader.UDP_BYTES;
    }

    private static RocePacket ofIpv4(MemorySegment p) {
        int udp = IpUdpHeader.IPV4_BYTES;
        require(p.byteSize() >= udp, "IPv4 header cut short at %d bytes", p.byteSize());
        require(BigEndian.u8(p, 0) == 0x45, "IPv4 header has options (first byte 0x%02x)", BigEndian.u8(p, 0));
        require((BigEndian.u16(p, 6) & FRAGMENT_BITS) == 0, "IPv4 fragment");
        checkUdp(p, udp, BigEndian.u16(p, 2), BigEndian.u8(p, 9));
        return new RocePacket(
                p,
                0,
                IPV4_MAPPED | Integer.toUnsignedLong(BigEndian.i32(p, 12)),
                BigEndian.u16(p, udp),
                0,
                IPV4_MAPPED | Integer.toUnsignedLong(BigEndian.i32(p, 16)),
                BigEndian.u16(p, 4),
                BigEndian.u8(p, 1),
                BigEndian.u8(p, 8),
                udp + IpUdpHeader.UDP_BYTES);
    }

    private static RocePacket ofIpv6(MemorySegment p) {
        int udp = IpUdpHeader.IPV6_BYTES;
        require(p.byteSize() >= udp, "IPv6 header cut short at %d bytes", p.byteSize());
        checkUdp(p, udp, udp + BigEndian.u16(p, 4), BigEndian.u8(p, 6));
        return new RocePacket(
                p,
                BigEndian.i64(p, 8),
                BigEndian.i64(p, 16),
                BigEndian.u16(p, udp),
                BigEndian.i64(p, 24),
                BigEndian.i64(p, 32),
                0,
                BigEndian.u16(p, 0) >>> 4 & 0xFF,
                BigEndian.u8(p, 7),
                udp + IpUdpHeader.UDP_BYTES);
    }

    private static void checkUdp(MemorySegment p, int udp, int claimed, int protocol) {
        require(protocol == IpUdpHeader.UDP_PROTOCOL, "IP protocol is %d, not UDP", protocol);
        require(p.byteSize() == claimed, "IP header claims %d bytes, here are %d", claimed, p.byteSize());
        require(p.byteSize() >= udp + IpUdpHeader.UDP_BYTES, "UDP header cut short");
        int port = BigEndian.u16(p, udp + 2);
        require(port == RoceConstants.UDP_PORT, "UDP port is %d, RoCEv2 has %d", port, RoceConstants.UDP_PORT);
        int udpLength = BigEndian.u16(p, udp + 4);
        require(udpLength == claimed - udp, "UDP length is %d, the IP header leaves %d", udpLength, claimed - udp);
        int transport = udpLength - IpUdpHeader.UDP_BYTES;
        require(
                transport >= SMALLEST_TRANSPORT,
                "%d bytes behind UDP, BTH and ICRC need %d",
                transport,
                SMALLEST_TRANSPORT);
    }

    private static void require(boolean condition, String complaint, Object... numbers) {
        if (!condition) {
            throw new MalformedPacketException(complaint.formatted(numbers));
        }
    }
}
