package io.verbena.roce.dump;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.roce.GoldenPackets;
import io.verbena.roce.header.Bth;
import io.verbena.roce.header.Reth;
import io.verbena.roce.mad.AnsweredMessage;
import io.verbena.roce.mad.CmMra;
import io.verbena.roce.mad.CmRej;
import io.verbena.roce.mad.RejectReason;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

class PacketTextTest {
    @Test
    void shouldPutEverythingThatMattersOnOneLine() {
        assertEquals(
                "192.168.77.2 > 192.168.77.1 RC SEND_ONLY qp=0x000011 psn=1193046 ack payload=5",
                PacketText.line(GoldenPackets.SEND_ONLY));
        assertEquals(
                "fd00:77::2 > fd00:77::1 RC ACKNOWLEDGE qp=0x000012 psn=11259375 syndrome=ACK msn=7 payload=0",
                PacketText.line(GoldenPackets.ACK_IPV6));
        assertEquals(
                "192.168.77.2 > 192.168.77.1 RC RDMA_WRITE_ONLY qp=0x000011 psn=1193047 ack va=0x7f0011223344"
                        + " rkey=0x1a5c len=16 payload=16",
                PacketText.line(GoldenPackets.WRITE_ONLY));
        assertEquals("10.0.17.1 > 10.0.18.1 CNP qp=0x000118 psn=0 becn payload=16", PacketText.line(GoldenPackets.CNP));
        assertEquals(
                "192.168.77.2 > 192.168.77.1 UD SEND_ONLY qp=0x000001 psn=0 qkey=0x80010000 srcqp=0x000001"
                        + " payload=256 CM REQ local=0x8a6b4c2d service=tcp:7471 qpn=0x000101 psn=5902900 mtu=3",
                PacketText.line(GoldenPackets.CM_REQ));
    }

    @Test
    void shouldNeedNoIpHeaderWhenGivenATransportPacket() {
        MemorySegment p = MemorySegment.ofArray(new byte[3 + 28 + 1024 + 4]);
        Bth.write(p, 3, 0x06, false, 0, 0x11, true, 1193046);
        Reth.write(p, 15, 0x7f0000001000L, 0x1a5c, 65536);
        assertEquals(
                "RC RDMA_WRITE_FIRST qp=0x000011 psn=1193046 ack va=0x7f0000001000 rkey=0x1a5c len=65536 payload=1024",
                PacketText.line(p, 3, p.byteSize()));
    }

    @Test
    void shouldShowEveryByteAndTheIcrcInFull() {
        assertEquals("""
                IPv4 192.168.77.2 > 192.168.77.1 id=0x0000 class=0x02 hops=64 length=76
                UDP 49443 > 4791
                RC RDMA_WRITE_ONLY (0x0a) m=1 pad=0 pkey=0xffff
                BTH qp=0x000011 psn=1193047 ack
                RETH va=0x7f0011223344 rkey=0x1a5c len=16
                payload 16 bytes
                  0000: 00 01 02 03 04 05 06 07 08 09 0a 0b 0c 0d 0e 0f
                ICRC 0xad82b3d4 right
                """, PacketText.full(GoldenPackets.WRITE_ONLY));
        byte[] damaged = GoldenPackets.WRITE_ONLY.clone();
        damaged[60] ^= 1;
        assertTrue(PacketText.full(damaged).contains("ICRC 0xad82b3d4 wrong, should be 0x"));
    }

    @Test
    void shouldShowEveryFieldOfAConnectionManagerMessageInFull() {
        String text = PacketText.full(GoldenPackets.CM_REQ);
        assertTrue(text.contains("\n  localQpn=0x101\n"), text);
        assertTrue(text.contains("\n  startingPsn=5902900\n"), text);
        assertTrue(text.contains("\n  alternatePath=none\n"), text);
        assertTrue(text.endsWith("ICRC 0xdc5c3b64 right\n"), text);
    }

    @Test
    void shouldNameReasonAndMessageWhenAConnectionIsRefused() {
        byte[] packet = GoldenPackets.CM_REQ.clone();
        MemorySegment p = MemorySegment.ofArray(packet);
        new CmRej(1, 0, 5, AnsweredMessage.REQ, RejectReason.INVALID_SERVICE_ID).encode(p, 48);
        assertTrue(PacketText.line(packet)
                .endsWith("CM REJ local=0x00000000 remote=0x00000005 of=REQ reason=8"
                        + " (invalid service id: nobody listens there)"));
        new CmMra(1, 2, 5, AnsweredMessage.REP, 24).encode(p, 48);
        assertTrue(PacketText.line(packet).endsWith("CM MRA local=0x00000002 remote=0x00000005 of=REP timeout=24"));
        packet[48] = 3;
        assertTrue(PacketText.line(packet).endsWith("MAD: base version is 3, a CM MAD has 1"));
        assertTrue(PacketText.full(packet).contains("MAD: base version is 3, a CM MAD has 1\n"));
    }

    @Test
    void shouldSayWhatIsWrongWhenBytesAreNoPacket() {
        assertTransport("too short: 0 bytes, BTH and ICRC need 16", new byte[0]);
        assertTransport("unknown opcode 0x5f, 20 bytes", new byte[] {0x5f}, 20);
        assertTransport("RC SEND_ONLY with unknown header version 3", new byte[] {4, 3}, 20);
        assertTransport(
                "RC RDMA_WRITE_ONLY cut short: 20 bytes, headers, padding and ICRC need 33", new byte[] {10, 0x10}, 20);
        MemorySegment p = MemorySegment.ofArray(new byte[20]);
        assertEquals("no packet: [4, 21) is outside of 20 bytes", PacketText.line(p, 4, 21));
        assertEquals("not RoCEv2: no bytes", PacketText.line(new byte[0]));
        assertEquals("not RoCEv2: IP version is 0", PacketText.line(new byte[40]));
        byte[] dns = GoldenPackets.SEND_ONLY.clone();
        dns[22] = 0;
        dns[23] = 53;
        assertEquals("not RoCEv2: UDP port is 53, RoCEv2 has 4791", PacketText.line(dns));
        assertThrows(MalformedPacketException.class, () -> RocePacket.of(dns));
    }

    private static void assertTransport(String expected, byte[] start) {
        assertTransport(expected, start, start.length);
    }

    private static void assertTransport(String expected, byte[] start, int length) {
        MemorySegment p = MemorySegment.ofArray(Arrays.copyOf(start, length));
        assertEquals(expected, PacketText.line(p, 0, length));
        assertTrue(PacketText.full(p, 0, length).startsWith(expected + "\n"));
    }

    @Test
    void shouldNeverThrowWhenBytesAreGarbage() {
        long seed = 99;
        Random random = new Random(seed);
        for (int length = 0; length < 400; length++) {
            for (int round = 0; round < 20; round++) {
                byte[] bytes = new byte[length];
                random.nextBytes(bytes);
                assertText(bytes, length, "random, seed " + seed);
            }
        }
        for (int opcode = 0; opcode < 256; opcode++) {
            for (int length = 1; length < 64; length++) {
                byte[] bytes = new byte[length];
                random.nextBytes(bytes);
                bytes[0] = (byte) opcode;
                if (length > 1) {
                    bytes[1] &= (byte) 0xF0;
                }
                assertText(bytes, length, "opcode " + opcode + ", seed " + seed);
            }
        }
    }

    @Test
    void shouldNeverThrowWhenGoldenPacketsAreCutOrDamaged() {
        long seed = 100;
        Random random = new Random(seed);
        byte[][] golden = {GoldenPackets.CM_REQ, GoldenPackets.ACK_IPV6, GoldenPackets.WRITE_ONLY, GoldenPackets.CNP};
        for (byte[] packet : golden) {
            for (int length = 0; length <= packet.length; length++) {
                assertText(Arrays.copyOf(packet, length), length, "cut");
            }
            for (int round = 0; round < 5_000; round++) {
                byte[] damaged = packet.clone();
                damaged[random.nextInt(packet.length)] = (byte) random.nextInt();
                assertText(damaged, packet.length, "damaged, seed " + seed);
            }
        }
    }

    private static void assertText(byte[] bytes, int length, String where) {
        MemorySegment p = MemorySegment.ofArray(bytes);
        assertFalse(PacketText.line(bytes).isEmpty(), where);
        assertFalse(PacketText.full(bytes).isEmpty(), where);
        assertFalse(PacketText.line(p, 0, length).isEmpty(), where);
        assertFalse(PacketText.full(p, 0, length).isEmpty(), where);
    }
}
