package io.verbena.tools.view;

import io.verbena.roce.dump.GidText;
import io.verbena.roce.dump.PacketText;
import io.verbena.roce.dump.RocePacket;
import io.verbena.roce.header.Aeth;
import io.verbena.roce.header.Bth;
import io.verbena.roce.header.Deth;
import io.verbena.roce.header.Reth;
import io.verbena.roce.mad.CmMessage;
import io.verbena.roce.mad.Mad;
import io.verbena.roce.mad.MalformedMadException;
import io.verbena.roce.packet.Header;
import io.verbena.roce.packet.Opcode;
import io.verbena.roce.packet.RnrTimer;
import io.verbena.roce.packet.RoceConstants;
import io.verbena.roce.packet.Syndrome;
import java.lang.foreign.MemorySegment;

/// A RoCEv2 packet of a capture.
///
/// - `sourceQp`: in datagrams only; connected packets do not name their sender: -1
/// - `syndrome`: of the AETH; -1 without one
/// - `requestBytes`: the length that the RETH asks for; -1 without one
/// - `cm`: the message of the connection manager; null for other packets
record CapturedPacket(
        long timeNs,
        String from,
        String to,
        Opcode opcode,
        int destinationQp,
        int sourceQp,
        int psn,
        long payloadBytes,
        int syndrome,
        long requestBytes,
        CmMessage cm,
        String text) {

    static CapturedPacket of(long timeNs, byte[] ipPacket) {
        RocePacket packet = RocePacket.of(ipPacket);
        MemorySegment bytes = packet.bytes();
        int bth = packet.transportAt();
        Opcode opcode = Opcode.of(Bth.opcode(bytes, bth));
        String text = PacketText.line(bytes, bth, ipPacket.length);
        if (opcode == null || ipPacket.length < bth + opcode.headerBytes()) {
            throw new IllegalArgumentException(text);
        }
        long payload =
                ipPacket.length - bth - opcode.headerBytes() - Bth.padCount(bytes, bth) - RoceConstants.ICRC_BYTES;
        int datagram = opcode.offsetOf(Header.DETH);
        int answer = opcode.offsetOf(Header.AETH);
        int remote = opcode.offsetOf(Header.RETH);
        return new CapturedPacket(
                timeNs,
                GidText.of(packet.srcHi(), packet.srcLo()),
                GidText.of(packet.dstHi(), packet.dstLo()),
                opcode,
                Bth.destinationQp(bytes, bth),
                datagram < 0 ? -1 : Deth.sourceQp(bytes, bth + datagram),
                Bth.psn(bytes, bth),
                payload,
                answer < 0 ? -1 : Aeth.syndrome(bytes, bth + answer),
                remote < 0 ? -1 : Reth.lengthUnsigned(bytes, bth + remote),
                message(opcode, bytes, bth, payload),
                text);
    }

    /// How many bytes a capture must have of a packet: all of its headers, and a management datagram as a whole.
    static int neededBytes(byte[] ipPacket) {
        RocePacket packet = RocePacket.of(ipPacket);
        int bth = packet.transportAt();
        Opcode opcode = Opcode.of(Bth.opcode(packet.bytes(), bth));
        if (opcode == null) {
            return bth + Bth.BYTES;
        }
        int headers = bth + opcode.headerBytes();
        return isManagement(opcode, packet.bytes(), bth) ? headers + Mad.BYTES : headers;
    }

    private static boolean isManagement(Opcode opcode, MemorySegment bytes, int bth) {
        return opcode.has(Header.DETH) && Bth.destinationQp(bytes, bth) == RoceConstants.GSI_QP;
    }

    /// Null when it is none, or one that cannot be read; the text says why.
    private static CmMessage message(Opcode opcode, MemorySegment bytes, int bth, long payload) {
        if (!isManagement(opcode, bytes, bth) || payload != Mad.BYTES) {
            return null;
        }
        try {
            return CmMessage.decode(bytes, bth + opcode.headerBytes());
        } catch (MalformedMadException e) {
            return null;
        }
    }

    boolean isAcknowledge() {
        return opcode == Opcode.RC_ACKNOWLEDGE || opcode == Opcode.XRC_ACKNOWLEDGE;
    }

    boolean isNak() {
        return syndrome >= 0 && !Syndrome.isAck(syndrome);
    }

    /// Connected requests travel in a stream with sequence numbers.
    boolean isRequest() {
        return opcode.isRequest() && !isDatagram();
    }

    boolean isDatagram() {
        return opcode.has(Header.DETH);
    }

    boolean isReadRequest() {
        return opcode == Opcode.RC_RDMA_READ_REQUEST || opcode == Opcode.XRC_RDMA_READ_REQUEST;
    }

    String name() {
        if (cm != null) {
            return "CM " + cm.attributeId();
        }
        return isNak() ? answer() : opcode.name().replaceFirst("^[A-Z]+_", "").replace('_', ' ');
    }

    /// What the AETH answers.
    String answer() {
        return Syndrome.isRnrNak(syndrome) ? "RNR NAK" : Syndrome.text(syndrome).replace('_', ' ');
    }

    /// What a receiver-not-ready NAK asks the sender to wait.
    String wait(int rnrNak) {
        return RnrTimer.nanoseconds(Syndrome.timerCode(rnrNak)) / 1e6 + " ms";
    }

    /// The operation as a trace names it.
    String operation() {
        String name = opcode.name();
        String immediate = opcode.hasImmediate() ? "_WITH_IMMEDIATE" : "";
        if (cm != null) {
            return "CM";
        }
        if (opcode.isSend()) {
            return opcode.has(Header.IETH) ? "SEND_WITH_INVALIDATE" : "SEND" + immediate;
        }
        if (opcode.isWrite()) {
            return "RDMA_WRITE" + immediate;
        }
        if (isReadRequest() || opcode.isReadResponse()) {
            return "RDMA_READ";
        }
        return name.endsWith("COMPARE_SWAP")
                ? "COMPARE_AND_SWAP"
                : name.endsWith("FETCH_ADD") ? "FETCH_AND_ADD" : name.replaceFirst("^[A-Z]+_", "");
    }
}
