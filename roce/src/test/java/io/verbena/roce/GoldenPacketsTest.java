package io.verbena.roce;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.roce.dump.RocePacket;
import io.verbena.roce.header.Aeth;
import io.verbena.roce.header.Bth;
import io.verbena.roce.header.Deth;
import io.verbena.roce.header.Reth;
import io.verbena.roce.mad.CmMessage;
import io.verbena.roce.packet.Icrc;
import io.verbena.roce.packet.Opcode;
import io.verbena.roce.packet.RoceConstants;
import io.verbena.roce.packet.Syndrome;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/// Packets with known bytes, taken apart and put together again.
class GoldenPacketsTest {
    private static final long A = 0xFFFF_C0A8_4D02L;
    private static final long B = 0xFFFF_C0A8_4D01L;
    private static final long FD00 = 0xfd00_0077_0000_0000L;
    private static final int SRC_PORT = 0xC123;
    private static final int IPV4_TRANSPORT = 28;
    private static final int IPV6_TRANSPORT = 48;

    private final Icrc icrc = new Icrc();

    @Test
    void shouldBuildTheSendByteForByte() {
        byte[] packet = new byte[24];
        MemorySegment p = MemorySegment.ofArray(packet);
        Bth.write(p, 0, Opcode.RC_SEND_ONLY.code(), false, 3, 0x11, true, 0x123456);
        byte[] hello = "hello".getBytes(StandardCharsets.US_ASCII);
        System.arraycopy(hello, 0, packet, Bth.BYTES, hello.length);
        seal(packet, 0, A, 0, B, SRC_PORT);
        assertTransport(GoldenPackets.SEND_ONLY, IPV4_TRANSPORT, packet);
    }

    @Test
    void shouldBuildTheAcknowledgeByteForByteOverIpv6() {
        byte[] packet = new byte[20];
        MemorySegment p = MemorySegment.ofArray(packet);
        Bth.write(p, 0, Opcode.RC_ACKNOWLEDGE.code(), false, 0, 0x12, false, 0xABCDEF);
        Aeth.write(p, Bth.BYTES, Syndrome.ACK, 7);
        seal(packet, FD00, 2, FD00, 1, SRC_PORT);
        assertTransport(GoldenPackets.ACK_IPV6, IPV6_TRANSPORT, packet);
    }

    @Test
    void shouldBuildTheWriteByteForByte() {
        byte[] packet = new byte[48];
        MemorySegment p = MemorySegment.ofArray(packet);
        Bth.write(p, 0, Opcode.RC_RDMA_WRITE_ONLY.code(), false, 0, 0x11, true, 0x123457);
        Reth.write(p, Bth.BYTES, 0x7f0011223344L, 0x1a5c, 16);
        for (int i = 0; i < 16; i++) {
            packet[28 + i] = (byte) i;
        }
        seal(packet, 0, A, 0, B, SRC_PORT);
        assertTransport(GoldenPackets.WRITE_ONLY, IPV4_TRANSPORT, packet);
    }

    @Test
    void shouldBuildTheConnectionRequestByteForByte() {
        byte[] packet = new byte[280];
        MemorySegment p = MemorySegment.ofArray(packet);
        Bth.write(p, 0, Opcode.UD_SEND_ONLY.code(), false, 0, RoceConstants.GSI_QP, false, 0);
        Deth.write(p, Bth.BYTES, RoceConstants.GSI_QKEY, RoceConstants.GSI_QP);
        CmMessage.decode(MemorySegment.ofArray(GoldenPackets.CM_REQ), 48).encode(p, 20);
        seal(packet, 0, A, 0, B, 0xC001);
        assertTransport(GoldenPackets.CM_REQ, IPV4_TRANSPORT, packet);
    }

    @Test
    void shouldReadTheCongestionNotificationOfAnAdapter() {
        RocePacket packet = RocePacket.of(GoldenPackets.CNP);
        MemorySegment p = packet.bytes();
        int bth = packet.transportAt();
        assertSame(Opcode.CNP, Opcode.of(Bth.opcode(p, bth)));
        assertTrue(Bth.becn(p, bth));
        assertFalse(Bth.fecn(p, bth));
        assertFalse(Bth.migrated(p, bth));
        assertEquals(0x118, Bth.destinationQp(p, bth));
        assertEquals(0x718c, packet.identification());
        assertEquals(0, packet.srcPort());
        assertHeaders(GoldenPackets.CNP);
    }

    @Test
    void shouldReadTheUnreliableSend() {
        RocePacket packet = RocePacket.of(GoldenPackets.UC_SEND_ONLY);
        MemorySegment p = packet.bytes();
        int bth = packet.transportAt();
        assertSame(Opcode.UC_SEND_ONLY, Opcode.of(Bth.opcode(p, bth)));
        assertEquals(211, Bth.destinationQp(p, bth));
        assertEquals(13571856, Bth.psn(p, bth));
        assertEquals(2, Bth.padCount(p, bth));
        assertTrue(Bth.migrated(p, bth));
        assertEquals(0xFFFF, Bth.partitionKey(p, bth));
        assertHeaders(GoldenPackets.UC_SEND_ONLY);
    }

    private void seal(byte[] packet, long srcHi, long srcLo, long dstHi, long dstLo, int srcPort) {
        ByteBuffer bytes = ByteBuffer.wrap(packet);
        int end = packet.length - RoceConstants.ICRC_BYTES;
        Icrc.store(bytes, end, icrc.compute(srcHi, srcLo, dstHi, dstLo, srcPort, 0, bytes, 0, end));
    }

    private static void assertTransport(byte[] golden, int from, byte[] built) {
        assertEquals(Hex.text(Arrays.copyOfRange(golden, from, golden.length)), Hex.text(built));
        assertHeaders(golden);
    }

    private static void assertHeaders(byte[] golden) {
        RocePacket packet = RocePacket.of(golden);
        byte[] copy = HeaderCopy.of(packet.bytes(), packet.transportAt());
        int from = packet.transportAt();
        assertEquals(Hex.text(Arrays.copyOfRange(golden, from, from + copy.length)), Hex.text(copy));
    }
}
