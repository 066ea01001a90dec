package io.verbena.roce.packet;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.roce.GoldenPackets;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class IcrcTest {
    private static final long A_LO = 0xFFFF_C0A8_4D02L;
    private static final long B_LO = 0xFFFF_C0A8_4D01L;
    private static final int IPV4_TRANSPORT = 28;
    private static final int IPV6_TRANSPORT = 48;

    private final Icrc icrc = new Icrc();

    static Stream<byte[]> goldenPackets() {
        return Stream.of(
                GoldenPackets.CNP,
                GoldenPackets.SEND_ONLY,
                GoldenPackets.ACK_IPV6,
                GoldenPackets.WRITE_ONLY,
                GoldenPackets.UC_SEND_ONLY,
                GoldenPackets.CM_REQ);
    }

    @ParameterizedTest
    @MethodSource("goldenPackets")
    void shouldReproduceIcrcWhenWholePacketIsKnown(byte[] packet) {
        assertEquals(Icrc.received(packet), Icrc.ofPacket(packet));
    }

    @Test
    void shouldComputeKnownValueWhenSendingOverIpv4() {
        ByteBuffer bytes = ByteBuffer.wrap(GoldenPackets.SEND_ONLY);
        assertEquals(0xd773a6ff, icrc.compute(0, A_LO, 0, B_LO, 0xC123, 0, bytes, IPV4_TRANSPORT, 48));
        assertEquals(0xad82b3d4, icrc.compute(0, A_LO, 0, B_LO, 0xC123, 0, direct(GoldenPackets.WRITE_ONLY), 28, 72));
        assertEquals(0xdc5c3b64, icrc.compute(0, A_LO, 0, B_LO, 0xC001, 0, direct(GoldenPackets.CM_REQ), 28, 304));
    }

    @Test
    void shouldComputeTheSameWhateverPacketsCameBefore() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        long[] hosts = {A_LO, B_LO, B_LO + 1};
        int[] ports = {0, 4791, 0xC123, 0xFFFF};
        for (int i = 0; i < 20_000; i++) {
            byte[] packet = new byte[16 + 4 * random.nextInt(6)];
            random.nextBytes(packet);
            long high = random.nextInt(4) == 0 ? 0xfd00_0077_0000_0000L + random.nextInt(2) : 0;
            long from = hosts[random.nextInt(3)];
            long to = hosts[random.nextInt(3)];
            int port = ports[random.nextInt(4)];
            int identification = random.nextInt(3);
            ByteBuffer bytes = ByteBuffer.wrap(packet.clone());
            int end = packet.length - 4;
            assertEquals(
                    new Icrc().compute(high, from, high, to, port, identification, bytes, 0, end),
                    icrc.compute(high, from, high, to, port, identification, bytes, 0, end),
                    "seed " + seed + ", packet " + i);
            assertArrayEquals(packet, bytes.array());
        }
    }

    @Test
    void shouldComputeKnownValueWhenIdentificationIsNotZero() {
        long from = 0xFFFF_0A00_1101L;
        long to = 0xFFFF_0A00_1201L;
        assertEquals(0x2a00fd82, icrc.compute(0, from, 0, to, 0, 0x718c, direct(GoldenPackets.CNP), 28, 56));
    }

    @Test
    void shouldComputeKnownValueWhenSendingOverIpv6() {
        long hi = 0xfd00_0077_0000_0000L;
        ByteBuffer bytes = direct(GoldenPackets.ACK_IPV6);
        assertEquals(0xb97c106b, icrc.compute(hi, 2, hi, 1, 0xC123, 0, bytes, IPV6_TRANSPORT, 64));
        assertTrue(sound(hi, 2, hi, 1, 0xC123, bytes, IPV6_TRANSPORT, 68));
        assertFalse(sound(hi, 3, hi, 1, 0xC123, bytes, IPV6_TRANSPORT, 68));
    }

    @Test
    void shouldAcceptAnyIdentificationWhenThePacketIsCountedTwice() {
        ByteBuffer bytes = direct(GoldenPackets.WRITE_ONLY);
        for (int identification : new int[] {0, 1, 0x718c, 0xFFFF}) {
            int twice = icrc.computeTwice(0, A_LO, 0, B_LO, 0xC123, identification, bytes, IPV4_TRANSPORT, 72);
            Icrc.store(bytes, 72, twice);
            assertTrue(soundTwice(0, A_LO, 0, B_LO, 0xC123, bytes, IPV4_TRANSPORT, 76));
            assertFalse(sound(0, A_LO, 0, B_LO, 0xC123, bytes, IPV4_TRANSPORT, 76));
        }
        Icrc.store(bytes, 72, icrc.computeTwice(0, A_LO, 0, B_LO, 0xC123, 0, bytes, IPV4_TRANSPORT, 72) ^ 0x0100_0001);
        assertFalse(soundTwice(0, A_LO, 0, B_LO, 0xC123, bytes, IPV4_TRANSPORT, 76));
        assertFalse(soundTwice(0, A_LO, 0, B_LO, 0xC123, bytes, IPV4_TRANSPORT, IPV4_TRANSPORT + 4));
    }

    @Test
    void shouldLeaveBufferUsableWhenPositionAndLimitWereElsewhere() {
        ByteBuffer bytes = direct(GoldenPackets.SEND_ONLY).position(3).limit(7);
        assertTrue(sound(0, A_LO, 0, B_LO, 0xC123, bytes, IPV4_TRANSPORT, 52));
        assertEquals(0, bytes.position());
        assertEquals(bytes.capacity(), bytes.limit());
    }

    @Test
    void shouldRefuseWhenPacketIsShorterThanItsHeader() {
        ByteBuffer bytes = direct(GoldenPackets.SEND_ONLY);
        for (int length = 0; length < 16; length++) {
            assertFalse(sound(0, A_LO, 0, B_LO, 0xC123, bytes, 28, 28 + length), "length " + length);
        }
        assertThrows(IllegalArgumentException.class, () -> Icrc.ofPacket(new byte[10]));
        assertThrows(IllegalArgumentException.class, () -> Icrc.ofPacket(new byte[0]));
    }

    @Test
    void shouldAcceptAnyIdentificationAndRejectDamageWhenIdentificationIsHidden() {
        long seed = 20260704;
        Random random = new Random(seed);
        int falseAccepts = 0;
        for (int round = 0; round < 20_000; round++) {
            String where = "seed " + seed + " round " + round;
            byte[] transport = new byte[12 + 4 * random.nextInt(1100) + 4];
            random.nextBytes(transport);
            ByteBuffer bytes = ByteBuffer.wrap(transport);
            int end = transport.length - 4;
            Icrc.store(bytes, end, icrc.compute(0, A_LO, 0, B_LO, 7, random.nextInt(0x10000), bytes, 0, end));
            assertTrue(sound(0, A_LO, 0, B_LO, 7, bytes, 0, transport.length), where);
            int flipped;
            do {
                flipped = random.nextInt(transport.length);
            } while (flipped == 4); // FECN, BECN and reserved bits are not covered
            transport[flipped] ^= (byte) (1 << random.nextInt(8));
            falseAccepts += sound(0, A_LO, 0, B_LO, 7, bytes, 0, transport.length) ? 1 : 0;
        }
        assertTrue(falseAccepts <= 3, falseAccepts + " damaged packets accepted, seed " + seed);
    }

    @Test
    void shouldNotCoverCongestionBitsWhenTheyChangeOnTheWay() {
        byte[] packet = GoldenPackets.SEND_ONLY.clone();
        packet[IPV4_TRANSPORT + 4] = (byte) 0xC0;
        assertEquals(Icrc.received(packet), Icrc.ofPacket(packet));
        assertTrue(sound(0, A_LO, 0, B_LO, 0xC123, direct(packet), IPV4_TRANSPORT, 52));
    }

    @Test
    void shouldRecoverIdentificationWhenOnlyItDiffers() {
        IdentificationResidue residue = new IdentificationResidue();
        for (int identification : new int[] {1, 0x8000, 0x718c, 0xFFFF}) {
            int with = icrc.compute(0, A_LO, 0, B_LO, 7, identification, direct(GoldenPackets.SEND_ONLY), 28, 48);
            int without = icrc.compute(0, A_LO, 0, B_LO, 7, 0, direct(GoldenPackets.SEND_ONLY), 28, 48);
            assertEquals(identification, residue.explain(with ^ without, 16 + 8 + 20));
        }
    }

    /// Against the form that sees the whole packet.
    @Test
    void shouldCoverTheIdentificationWhateverLengthAndNumber() {
        long seed = 20261116;
        Random random = new Random(seed);
        for (int round = 0; round < 5_000; round++) {
            byte[] packet = new byte[IPV4_TRANSPORT + 12 + 4 * random.nextInt(1100) + 4];
            random.nextBytes(packet);
            int identification = round % 3 == 0 ? round / 3 : random.nextInt(0x10000);
            int udpLength = packet.length - 20;
            ByteBuffer bytes = ByteBuffer.wrap(packet);
            bytes.putInt(0, 0x4500_0000 | packet.length).putInt(4, identification << 16 | 0x4000);
            bytes.putInt(8, 0x4011_0000).putInt(12, (int) A_LO).putInt(16, (int) B_LO);
            bytes.putInt(20, 0xC123 << 16 | 4791).putInt(24, udpLength << 16);
            int computed =
                    icrc.compute(0, A_LO, 0, B_LO, 0xC123, identification, bytes, IPV4_TRANSPORT, packet.length - 4);
            assertEquals(Icrc.ofPacket(packet), computed, "seed " + seed + " round " + round);
        }
    }

    private boolean sound(
            long srcHi, long srcLo, long dstHi, long dstLo, int port, ByteBuffer bytes, int from, int to) {
        return icrc.identification(srcHi, srcLo, dstHi, dstLo, port, bytes, from, to) != Icrc.DAMAGED;
    }

    private boolean soundTwice(
            long srcHi, long srcLo, long dstHi, long dstLo, int port, ByteBuffer bytes, int from, int to) {
        return icrc.identificationTwice(srcHi, srcLo, dstHi, dstLo, port, bytes, from, to) != Icrc.DAMAGED;
    }

    private static ByteBuffer direct(byte[] packet) {
        return ByteBuffer.allocateDirect(packet.length).put(0, Arrays.copyOf(packet, packet.length));
    }
}
