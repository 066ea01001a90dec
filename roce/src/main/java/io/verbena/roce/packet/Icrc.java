package io.verbena.roce.packet;

import io.verbena.roce.header.Bth;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.zip.CRC32;

/// The invariant CRC that ends every packet: CRC-32 over the IP, UDP and transport bytes that no router changes.
///
/// It covers eight bytes of ones, then the headers with every changeable field set to ones, then the rest as sent. The
/// packet holds the value little-endian, the only such field of the protocol.
///
/// Addresses are two longs in GID form: an IPv4 address a.b.c.d is 0 and `0x0000_ffff_aabb_ccdd`. IPv4 packets are
/// taken to have "don't fragment" set. An instance belongs to one thread and allocates only when it meets a packet
/// length for the first time.
public final class Icrc {
    /// No identification explains the ICRC.
    public static final int DAMAGED = IdentificationResidue.DAMAGED;

    private static final VarHandle LONG = MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);
    private static final VarHandle INT = MethodHandles.byteBufferViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);
    private static final VarHandle TRAILER =
            MethodHandles.byteBufferViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);

    private static final int ONES_BYTES = 8;
    private static final int IPV4_BYTES = 20;
    private static final int IPV6_BYTES = 40;
    private static final int UDP_BYTES = 8;
    private static final int IPV4_IDENTIFICATION_AT = 4;
    private static final long ONES = -1L;
    private static final int DONT_FRAGMENT = 0x4000;
    private static final int UDP_PROTOCOL = 17;
    private static final long CHANGEABLE_BTH_BITS = 0xFF00_0000L;
    private static final int CHANGEABLE_BTH_BYTE = 4;

    private final CRC32 crc = new CRC32();
    private final ByteBuffer ipv4 = ByteBuffer.allocateDirect(ONES_BYTES + IPV4_BYTES + UDP_BYTES + Bth.BYTES);
    private final ByteBuffer ipv6 = ByteBuffer.allocateDirect(ONES_BYTES + IPV6_BYTES + UDP_BYTES + Bth.BYTES);
    private final HeaderShares headers = new HeaderShares();
    private final IdentificationResidue residue = new IdentificationResidue();

    /// Makes a calculator for one thread.
    public Icrc() {
        ipv4.putLong(0, ONES);
        ipv6.putLong(0, ONES).putInt(8, 0x6FFF_FFFF);
    }

    /// The ICRC of a packet about to be sent. `bytes` keeps its contents and byte order; its position and limit become
    /// 0 and its capacity.
    ///
    /// @param ipv4Identification what the IPv4 header will carry; ignored for IPv6
    /// @param from where the BTH starts
    /// @param to where the padding ends and the ICRC will be stored, little-endian
    public int compute(
            long srcHi,
            long srcLo,
            long dstHi,
            long dstLo,
            int srcPort,
            int ipv4Identification,
            ByteBuffer bytes,
            int from,
            int to) {
        if (bytes.isReadOnly()) {
            return computeAll(srcHi, srcLo, dstHi, dstLo, srcPort, ipv4Identification, bytes, from, to);
        }
        long shape = (long) (to - from) << 16 | srcPort & 0xFFFFL;
        int slot = headers.slot(srcLo, dstLo, shape);
        int transport = transport(bytes, from, to);
        if (!headers.holds(slot, srcHi, srcLo, dstHi, dstLo, shape)) {
            int all = computeAll(srcHi, srcLo, dstHi, dstLo, srcPort, 0, bytes, from, to);
            headers.put(slot, srcHi, srcLo, dstHi, dstLo, shape, all ^ transport);
        }
        int ofZero = headers.share(slot) ^ transport;
        return ipv4Identification == 0 || !isIpv4(srcHi, srcLo)
                ? ofZero
                : ofZero ^ residue.difference(ipv4Identification, identificationCovers(to - from));
    }

    /// The CRC of what follows the UDP header alone. The byte that may change on the way is set for as long as it
    /// takes.
    private int transport(ByteBuffer bytes, int from, int to) {
        bytes.clear();
        byte changeable = bytes.get(from + CHANGEABLE_BTH_BYTE);
        bytes.put(from + CHANGEABLE_BTH_BYTE, (byte) 0xFF);
        crc.reset();
        crc.update(bytes.limit(to).position(from));
        bytes.clear();
        bytes.put(from + CHANGEABLE_BTH_BYTE, changeable);
        return (int) crc.getValue();
    }

    private int computeAll(
            long srcHi,
            long srcLo,
            long dstHi,
            long dstLo,
            int srcPort,
            int ipv4Identification,
            ByteBuffer bytes,
            int from,
            int to) {
        int udpLength = UDP_BYTES + (to - from) + RoceConstants.ICRC_BYTES;
        bytes.clear();
        crc.reset();
        if (isIpv4(srcHi, srcLo)) {
            crc.update(ipv4Prefix((int) srcLo, (int) dstLo, srcPort, ipv4Identification, udpLength, bytes, from));
        } else {
            crc.update(ipv6Prefix(srcHi, srcLo, dstHi, dstLo, srcPort, udpLength, bytes, from));
        }
        crc.update(bytes.limit(to).position(from + Bth.BYTES));
        bytes.clear();
        return (int) crc.getValue();
    }

    /// As [#compute], with everything from the BTH on counted a second time, unmasked. Linux's soft-RoCE makes and
    /// wants the ICRC of FLUSH requests so (seen on 6.12): its table of opcodes does not say where their payload
    /// begins, so the headers are taken for payload too.
    public int computeTwice(
            long srcHi,
            long srcLo,
            long dstHi,
            long dstLo,
            int srcPort,
            int ipv4Identification,
            ByteBuffer bytes,
            int from,
            int to) {
        computeAll(srcHi, srcLo, dstHi, dstLo, srcPort, ipv4Identification, bytes, from, to);
        crc.update(bytes.limit(to).position(from));
        bytes.clear();
        return (int) crc.getValue();
    }

    /// The IPv4 identification under which the last four bytes of `bytes` in `[from, to)` are the ICRC of what is
    /// before them, or [#DAMAGED]; 0 for sound packets over IPv6, which has no such field.
    ///
    /// A receiver behind a UDP socket does not see the identification. One in 65536 damaged packets has an
    /// identification that explains it, so this alone is a check of 16 bits: callers that know which identifications
    /// the sender uses check the others.
    public int identification(
            long srcHi, long srcLo, long dstHi, long dstLo, int srcPort, ByteBuffer bytes, int from, int to) {
        int end = to - RoceConstants.ICRC_BYTES;
        return end - from < Bth.BYTES
                ? DAMAGED
                : explain(
                        compute(srcHi, srcLo, dstHi, dstLo, srcPort, 0, bytes, from, end),
                        isIpv4(srcHi, srcLo),
                        bytes,
                        end,
                        end - from);
    }

    /// As [#identification], for the ICRC of [#computeTwice].
    public int identificationTwice(
            long srcHi, long srcLo, long dstHi, long dstLo, int srcPort, ByteBuffer bytes, int from, int to) {
        int end = to - RoceConstants.ICRC_BYTES;
        return end - from < Bth.BYTES
                ? DAMAGED
                : explain(
                        computeTwice(srcHi, srcLo, dstHi, dstLo, srcPort, 0, bytes, from, end),
                        isIpv4(srcHi, srcLo),
                        bytes,
                        end,
                        (end - from) * 2);
    }

    private int explain(int computed, boolean ipv4, ByteBuffer bytes, int icrcAt, int transportBytes) {
        int difference = computed ^ (int) TRAILER.get(bytes, icrcAt);
        if (difference == 0) {
            return 0;
        }
        return ipv4 ? residue.explain(difference, identificationCovers(transportBytes)) : DAMAGED;
    }

    /// Bytes that the ICRC covers from the identification on.
    private static int identificationCovers(int transportBytes) {
        return IPV4_BYTES - IPV4_IDENTIFICATION_AT + UDP_BYTES + transportBytes;
    }

    /// The ICRC of a whole captured packet, from its IP header to its ICRC, which is not looked at.
    ///
    /// Unlike the other forms this one sees, and covers, the real identification and flags. Allocates.
    public static int ofPacket(byte[] l3Packet) {
        boolean ipv6 = l3Packet.length > 0 && l3Packet[0] >>> 4 == 6;
        int udp = ipv6 ? IPV6_BYTES : IPV4_BYTES;
        int end = l3Packet.length - RoceConstants.ICRC_BYTES;
        if (end < udp + UDP_BYTES + Bth.BYTES) {
            throw new IllegalArgumentException("a packet of " + l3Packet.length + " bytes is too short for an ICRC");
        }
        byte[] masked = l3Packet.clone();
        int[] changeable = ipv6 ? new int[] {1, 2, 3, 7} : new int[] {1, 8, 10, 11};
        for (int at : changeable) {
            masked[at] = (byte) 0xFF;
        }
        if (ipv6) {
            masked[0] |= 0x0F;
        }
        masked[udp + 6] = masked[udp + 7] = (byte) 0xFF;
        masked[udp + UDP_BYTES + 4] = (byte) 0xFF;
        CRC32 crc = new CRC32();
        crc.update(ByteBuffer.allocate(ONES_BYTES).putLong(0, ONES));
        crc.update(masked, 0, end);
        return (int) crc.getValue();
    }

    /// The ICRC a captured packet carries in its last four bytes.
    public static int received(byte[] l3Packet) {
        return (int) TRAILER.get(ByteBuffer.wrap(l3Packet), l3Packet.length - RoceConstants.ICRC_BYTES);
    }

    /// Stores an ICRC at `at`, whatever the byte order of `bytes`.
    public static void store(ByteBuffer bytes, int at, int icrc) {
        TRAILER.set(bytes, at, icrc);
    }

    private static boolean isIpv4(long hi, long lo) {
        return hi == 0 && lo >>> 32 == 0xFFFF;
    }

    private ByteBuffer ipv4Prefix(
            int src, int dst, int srcPort, int identification, int udpLength, ByteBuffer bytes, int bth) {
        ByteBuffer p = ipv4;
        p.putInt(8, 0x45FF_0000 | IPV4_BYTES + udpLength);
        p.putInt(12, identification << 16 | DONT_FRAGMENT);
        p.putInt(16, 0xFF00_FFFF | UDP_PROTOCOL << 16);
        p.putInt(20, src).putInt(24, dst);
        return udpAndBth(p, ONES_BYTES + IPV4_BYTES, srcPort, udpLength, bytes, bth);
    }

    private ByteBuffer ipv6Prefix(
            long srcHi, long srcLo, long dstHi, long dstLo, int srcPort, int udpLength, ByteBuffer bytes, int bth) {
        ByteBuffer p = ipv6;
        p.putInt(12, udpLength << 16 | UDP_PROTOCOL << 8 | 0xFF);
        p.putLong(16, srcHi).putLong(24, srcLo).putLong(32, dstHi).putLong(40, dstLo);
        return udpAndBth(p, ONES_BYTES + IPV6_BYTES, srcPort, udpLength, bytes, bth);
    }

    private static ByteBuffer udpAndBth(ByteBuffer p, int udp, int srcPort, int udpLength, ByteBuffer bytes, int bth) {
        p.putInt(udp, srcPort << 16 | RoceConstants.UDP_PORT);
        p.putInt(udp + 4, udpLength << 16 | 0xFFFF);
        p.putLong(udp + 8, (long) LONG.get(bytes, bth) | CHANGEABLE_BTH_BITS);
        p.putInt(udp + 16, (int) INT.get(bytes, bth + 8));
        return p.clear();
    }
}
