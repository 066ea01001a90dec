package io.verbena.roce.dump;

import java.io.BufferedOutputStream;
import java.io.Closeable;
import java.io.Flushable;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;

/// Writes a classic capture file with nanosecond timestamps. Not thread-safe.
///
/// A transport packet has no IP header of its own here, so one is made for it; unless told otherwise, with
/// identification 0.
public final class PcapWriter implements Closeable, Flushable {
    static final int NANOSECOND_MAGIC = 0xA1B2_3C4D;
    static final int RECORD_HEADER_BYTES = 16;

    private static final int MAX_PACKET_BYTES = 0xFFFF;
    private static final int SNAP_BYTES = 262_144;
    private static final int ETHERNET_BYTES = 14;
    private static final long NS_PER_SECOND = 1_000_000_000L;

    /// Locally administered addresses; nothing else is known about the hosts at this layer.
    private static final long DESTINATION_MAC = 0x0200_0000_0002L;

    private static final long SOURCE_MAC = 0x0200_0000_0001L;

    private final OutputStream out;
    private final LinkType linkType;
    private final ByteBuffer buffer = ByteBuffer.allocate(RECORD_HEADER_BYTES
                    + ETHERNET_BYTES
                    + IpUdpHeader.IPV6_BYTES
                    + IpUdpHeader.UDP_BYTES
                    + MAX_PACKET_BYTES)
            .order(ByteOrder.BIG_ENDIAN);

    /// Creates a file whose frames start at the IP header.
    public PcapWriter(Path file) throws IOException {
        this(new BufferedOutputStream(Files.newOutputStream(file)));
    }

    /// Frames start at the IP header.
    public PcapWriter(OutputStream out) throws IOException {
        this(out, LinkType.RAW);
    }

    /// Writes to a stream; `linkType` says what frames start with: RAW or ETHERNET.
    public PcapWriter(OutputStream out, LinkType linkType) throws IOException {
        if (linkType != LinkType.RAW && linkType != LinkType.ETHERNET) {
            throw new IllegalArgumentException("frames of " + linkType + " are read, not written; use RAW");
        }
        this.out = out;
        this.linkType = linkType;
        buffer.putInt(NANOSECOND_MAGIC).putShort((short) 2).putShort((short) 4);
        buffer.putLong(0).putInt(SNAP_BYTES).putInt(linkType.code());
        drain();
    }

    /// Writes one packet. Addresses are two longs in GID form: IPv4 a.b.c.d is 0 and `0x0000_ffff_aabb_ccdd`.
    ///
    /// @param timestampNs nanoseconds since 1970
    /// @param from where the BTH starts in `transport`
    /// @param to where the ICRC ends
    public void write(
            long timestampNs,
            long srcHi,
            long srcLo,
            int srcPort,
            long dstHi,
            long dstLo,
            ByteBuffer transport,
            int from,
            int to)
            throws IOException {
        write(timestampNs, srcHi, srcLo, srcPort, dstHi, dstLo, 0, IpUdpHeader.HOP_LIMIT, 0, 0, transport, from, to);
    }

    /// As the other form, for a packet whose traffic class (TOS), hop limit (TTL), flow label and identification are
    /// known.
    public void write(
            long timestampNs,
            long srcHi,
            long srcLo,
            int srcPort,
            long dstHi,
            long dstLo,
            int trafficClass,
            int hopLimit,
            int flowLabel,
            int ipv4Identification,
            ByteBuffer transport,
            int from,
            int to)
            throws IOException {
        requireRoomFor(to - from);
        boolean ipv4 = IpUdpHeader.isIpv4(srcHi, srcLo);
        begin(ipv4 ? EtherType.IPV4 : EtherType.IPV6);
        int start = buffer.position();
        int flow = (trafficClass & 0xFF) << IpUdpHeader.CLASS_AT | flowLabel & 0xF_FFFF;
        IpUdpHeader.put(buffer, srcHi, srcLo, srcPort, dstHi, dstLo, flow, hopLimit, ipv4Identification, to - from);
        buffer.put(buffer.position(), transport, from, to - from).position(buffer.position() + (to - from));
        if (!ipv4) {
            IpUdpHeader.putUdpChecksum(buffer, start, buffer.position());
        }
        end(timestampNs);
    }

    /// Writes one packet that already has its IP header.
    public void write(long timestampNs, byte[] ipPacket) throws IOException {
        requireRoomFor(ipPacket.length);
        boolean ipv6 = ipPacket.length > 0 && ipPacket[0] >>> 4 == 6;
        begin(ipv6 ? EtherType.IPV6 : EtherType.IPV4);
        buffer.put(ipPacket);
        end(timestampNs);
    }

    @Override
    public void flush() throws IOException {
        out.flush();
    }

    @Override
    public void close() throws IOException {
        out.close();
    }

    private static void requireRoomFor(int bytes) {
        if (bytes > MAX_PACKET_BYTES) {
            throw new IllegalArgumentException("%d bytes do not fit an IP packet".formatted(bytes));
        }
    }

    private void begin(int etherType) {
        buffer.position(RECORD_HEADER_BYTES);
        if (linkType == LinkType.ETHERNET) {
            buffer.putLong(DESTINATION_MAC << 16 | SOURCE_MAC >>> 32).putInt((int) SOURCE_MAC);
            buffer.putShort((short) etherType);
        }
    }

    private void end(long timestampNs) throws IOException {
        int length = buffer.position() - RECORD_HEADER_BYTES;
        buffer.putInt(0, (int) Math.floorDiv(timestampNs, NS_PER_SECOND));
        buffer.putInt(4, (int) Math.floorMod(timestampNs, NS_PER_SECOND));
        buffer.putInt(8, length).putInt(12, length);
        drain();
    }

    private void drain() throws IOException {
        out.write(buffer.array(), 0, buffer.position());
        buffer.clear();
    }
}
