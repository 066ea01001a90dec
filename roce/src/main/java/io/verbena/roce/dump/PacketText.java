package io.verbena.roce.dump;

import io.verbena.roce.header.Bth;
import io.verbena.roce.mad.CmMessage;
import io.verbena.roce.mad.MalformedMadException;
import io.verbena.roce.packet.Header;
import io.verbena.roce.packet.Icrc;
import io.verbena.roce.packet.Opcode;
import io.verbena.roce.packet.RoceConstants;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.HexFormat;

/// Packets as text, on one line or in full. Never throws: for bytes that are no packet the text says what is wrong.
public final class PacketText {
    private static final int SMALLEST = Bth.BYTES + RoceConstants.ICRC_BYTES;
    private static final int HEX_BYTES_PER_LINE = 16;
    private static final Header[] HEADERS = Header.values();

    private PacketText() {}

    /// One line for a packet that starts with its IP header.
    public static String line(byte[] ipPacket) {
        try {
            RocePacket packet = RocePacket.of(ipPacket);
            String route =
                    GidText.of(packet.srcHi(), packet.srcLo()) + " > " + GidText.of(packet.dstHi(), packet.dstLo());
            return route + " " + line(packet.bytes(), packet.transportAt(), ipPacket.length);
        } catch (MalformedPacketException e) {
            return "not RoCEv2: " + e.getMessage();
        }
    }

    /// One line for the bytes of `packet` in `[from, to)`, from the BTH to the ICRC.
    public static String line(MemorySegment packet, long from, long to) {
        String complaint = problemOf(packet, from, to);
        if (complaint != null) {
            return complaint;
        }
        Opcode opcode = Opcode.of(Bth.opcode(packet, from));
        StringBuilder text = new StringBuilder(name(opcode));
        for (Header header : HEADERS) {
            if (opcode.has(header)) {
                text.append(' ').append(HeaderText.of(header, packet, from + opcode.offsetOf(header)));
            }
        }
        long payload = payloadBytes(opcode, packet, from, to);
        text.append(" payload=").append(payload);
        if (MadText.isMad(opcode, packet, from, payload)) {
            text.append(' ').append(madLine(packet, from + opcode.headerBytes()));
        }
        return text.toString();
    }

    /// Every header, field and byte of a packet that starts with its IP header, and whether its ICRC is right.
    public static String full(byte[] ipPacket) {
        RocePacket packet;
        try {
            packet = RocePacket.of(ipPacket);
        } catch (MalformedPacketException e) {
            StringBuilder text = new StringBuilder("not RoCEv2: " + e.getMessage() + "\n");
            hex(text, MemorySegment.ofArray(ipPacket), 0, ipPacket.length);
            return text.toString();
        }
        return "%s %s > %s id=0x%04x class=0x%02x hops=%d length=%d\nUDP %d > %d\n"
                        .formatted(
                                packet.isIpv4() ? "IPv4" : "IPv6",
                                GidText.of(packet.srcHi(), packet.srcLo()),
                                GidText.of(packet.dstHi(), packet.dstLo()),
                                packet.identification(),
                                packet.trafficClass(),
                                packet.hopLimit(),
                                ipPacket.length,
                                packet.srcPort(),
                                RoceConstants.UDP_PORT)
                + full(packet.bytes(), packet.transportAt(), ipPacket.length)
                + icrcVerdict(ipPacket);
    }

    /// Every header, field and byte of `packet` in `[from, to)`, from the BTH to the ICRC.
    public static String full(MemorySegment packet, long from, long to) {
        StringBuilder text = new StringBuilder();
        String complaint = problemOf(packet, from, to);
        if (complaint != null) {
            text.append(complaint).append('\n');
            if (from >= 0 && from <= to && to <= packet.byteSize()) {
                hex(text, packet, from, to);
            }
            return text.toString();
        }
        Opcode opcode = Opcode.of(Bth.opcode(packet, from));
        text.append("%s (0x%02x) m=%d pad=%d pkey=0x%04x\n"
                .formatted(
                        name(opcode),
                        opcode.code(),
                        Bth.migrated(packet, from) ? 1 : 0,
                        Bth.padCount(packet, from),
                        Bth.partitionKey(packet, from)));
        for (Header header : HEADERS) {
            if (opcode.has(header)) {
                String fields = HeaderText.of(header, packet, from + opcode.offsetOf(header));
                text.append(header).append(' ').append(fields).append('\n');
            }
        }
        payload(text, opcode, packet, from, to);
        return text.toString();
    }

    private static void payload(StringBuilder text, Opcode opcode, MemorySegment packet, long from, long to) {
        long at = from + opcode.headerBytes();
        long bytes = payloadBytes(opcode, packet, from, to);
        text.append("payload ").append(bytes).append(" bytes\n");
        if (MadText.isMad(opcode, packet, from, bytes)) {
            mad(text, packet, at);
        }
        hex(text, packet, at, at + bytes);
    }

    private static String madLine(MemorySegment packet, long at) {
        try {
            return MadText.line(CmMessage.decode(packet, at));
        } catch (MalformedMadException e) {
            return "MAD: " + e.getMessage();
        }
    }

    private static void mad(StringBuilder text, MemorySegment packet, long at) {
        text.append(madLine(packet, at)).append('\n');
        try {
            for (String field : CmMessage.decode(packet, at).fields()) {
                text.append("  ").append(field).append('\n');
            }
        } catch (MalformedMadException e) {
            // The line above already says what is wrong.
        }
    }

    private static String icrcVerdict(byte[] ipPacket) {
        int received = Icrc.received(ipPacket);
        int computed = Icrc.ofPacket(ipPacket);
        String verdict = received == computed ? "right" : "wrong, should be 0x%08x".formatted(computed);
        return "ICRC 0x%08x %s\n".formatted(received, verdict);
    }

    /// Why these bytes are not a packet, or null when they are.
    private static String problemOf(MemorySegment packet, long from, long to) {
        if (from < 0 || from > to || to > packet.byteSize()) {
            return "no packet: [%d, %d) is outside of %d bytes".formatted(from, to, packet.byteSize());
        }
        long length = to - from;
        if (length < SMALLEST) {
            return "too short: %d bytes, BTH and ICRC need %d".formatted(length, SMALLEST);
        }
        Opcode opcode = Opcode.of(Bth.opcode(packet, from));
        if (opcode == null) {
            return "unknown opcode 0x%02x, %d bytes".formatted(Bth.opcode(packet, from), length);
        }
        if (Bth.version(packet, from) != 0) {
            return "%s with unknown header version %d".formatted(name(opcode), Bth.version(packet, from));
        }
        if (payloadBytes(opcode, packet, from, to) < 0) {
            return "%s cut short: %d bytes, headers, padding and ICRC need %d"
                    .formatted(name(opcode), length, length - payloadBytes(opcode, packet, from, to));
        }
        return null;
    }

    private static long payloadBytes(Opcode opcode, MemorySegment packet, long from, long to) {
        return to - from - opcode.headerBytes() - Bth.padCount(packet, from) - RoceConstants.ICRC_BYTES;
    }

    private static String name(Opcode opcode) {
        return opcode.name().replaceFirst("_", " ");
    }

    private static void hex(StringBuilder text, MemorySegment packet, long from, long to) {
        HexFormat spaced = HexFormat.ofDelimiter(" ");
        for (long at = from; at < to; at += HEX_BYTES_PER_LINE) {
            byte[] row =
                    packet.asSlice(at, Math.min(HEX_BYTES_PER_LINE, to - at)).toArray(ValueLayout.JAVA_BYTE);
            text.append("  %04x: ".formatted(at - from))
                    .append(spaced.formatHex(row))
                    .append('\n');
        }
    }
}
