package io.verbena.roce.dump;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.verbena.roce.GoldenPackets;
import io.verbena.roce.Hex;
import io.verbena.roce.packet.Icrc;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class PcapTest {
    private static final long A = 0xFFFF_C0A8_4D02L;
    private static final long B = 0xFFFF_C0A8_4D01L;
    private static final long HI = 0xfd00_0077_0000_0000L;
    private static final long TIME_NS = 1_800_000_000_123_456_789L;

    @ParameterizedTest
    @EnumSource(
            value = LinkType.class,
            names = {"ETHERNET", "RAW"})
    void shouldReadWhatItWroteWhenHeadersAreBuilt(LinkType linkType) throws IOException {
        ByteArrayOutputStream file = new ByteArrayOutputStream();
        try (PcapWriter writer = new PcapWriter(file, linkType)) {
            ByteBuffer send = ByteBuffer.wrap(GoldenPackets.SEND_ONLY);
            writer.write(TIME_NS, 0, A, 0xC123, 0, B, send, 28, 52);
            ByteBuffer ack = ByteBuffer.allocateDirect(68).put(0, GoldenPackets.ACK_IPV6);
            writer.write(TIME_NS + 1, HI, 2, 0xC123, HI, 1, ack, 48, 68);
            writer.write(TIME_NS + 2, GoldenPackets.CNP);
        }
        try (PcapReader reader = reader(file.toByteArray())) {
            assertEquals(linkType, reader.linkType());
            PcapRecord send = reader.next();
            assertEquals(TIME_NS, send.timestampNs());
            assertEquals(Hex.text(GoldenPackets.SEND_ONLY), Hex.text(send.ipPacket()));
            assertEquals(send.frame().length, send.originalBytes());
            PcapRecord ack = reader.next();
            assertEquals(TIME_NS + 1, ack.timestampNs());
            byte[] expected = GoldenPackets.ACK_IPV6.clone();
            expected[0] = 0x60; // traffic class and flow label are not known to the writer
            expected[1] = expected[2] = expected[3] = 0;
            int checksum = ByteBuffer.wrap(ack.ipPacket()).getShort(46);
            ByteBuffer.wrap(expected).putShort(46, (short) checksum);
            assertEquals(0xFFFF, udpSum(ack.ipPacket()));
            assertEquals(Hex.text(expected), Hex.text(ack.ipPacket()));
            assertEquals(Icrc.received(expected), Icrc.ofPacket(ack.ipPacket()));
            assertArrayEquals(GoldenPackets.CNP, reader.next().ipPacket());
            assertNull(reader.next());
        }
    }

    /// The sum that a receiver computes: all ones when the UDP checksum is right.
    private static int udpSum(byte[] packet) {
        ByteBuffer bytes = ByteBuffer.wrap(packet);
        long sum = 17 + packet.length - 40;
        for (int at = 8; at < packet.length; at += 2) {
            sum += Short.toUnsignedInt(bytes.getShort(at));
        }
        return (int) ((sum - 1) % 0xFFFF + 1);
    }

    @Test
    void shouldReadAFileItWrote(@TempDir Path directory) throws IOException {
        Path file = directory.resolve("one.pcap");
        try (PcapWriter writer = new PcapWriter(file)) {
            writer.write(5, GoldenPackets.WRITE_ONLY);
            writer.flush();
        }
        try (PcapReader reader = new PcapReader(file)) {
            assertArrayEquals(GoldenPackets.WRITE_ONLY, reader.next().ipPacket());
        }
    }

    @Test
    void shouldReadEveryByteOrderAndClock() throws IOException {
        for (ByteOrder order : new ByteOrder[] {ByteOrder.LITTLE_ENDIAN, ByteOrder.BIG_ENDIAN}) {
            byte[] micro = file(order, 0xA1B2C3D4, 101, GoldenPackets.SEND_ONLY, 0);
            assertEquals(7_000_009_000L, reader(micro).next().timestampNs());
            byte[] nano = file(order, 0xA1B23C4D, 101, GoldenPackets.SEND_ONLY, 0);
            assertEquals(7_000_000_009L, reader(nano).next().timestampNs());
            assertArrayEquals(GoldenPackets.SEND_ONLY, reader(nano).next().ipPacket());
        }
    }

    @Test
    void shouldFindTheIpPacketWhenTheFrameHasTagsAndPadding() throws IOException {
        byte[] frame = Hex.bytes("020000000002 020000000001 88a8 0001 8100 0002 0800"
                + Hex.text(GoldenPackets.SEND_ONLY) + "000000000000");
        byte[] found = reader(file(ByteOrder.LITTLE_ENDIAN, 0xA1B2C3D4, 1, frame, 0))
                .next()
                .ipPacket();
        assertEquals(Hex.text(GoldenPackets.SEND_ONLY), Hex.text(found));
    }

    @Test
    void shouldSaySoWhenAFrameIsNoIpPacket() throws IOException {
        byte[] arp = Hex.bytes("ffffffffffff 020000000001 0806 0001");
        for (int length = 0; length <= arp.length; length++) {
            byte[] frame = Arrays.copyOf(arp, length);
            PcapRecord next = reader(file(ByteOrder.LITTLE_ENDIAN, 0xA1B2C3D4, 1, frame, 0))
                    .next();
            assertFalse(next.isIp());
            assertEquals(0, next.ipPacket().length);
        }
    }

    @Test
    void shouldSayWhereTheFileEndsWhenItIsTruncated() throws IOException {
        byte[] whole = file(ByteOrder.LITTLE_ENDIAN, 0xA1B2C3D4, 101, GoldenPackets.SEND_ONLY, 0);
        for (int length = 0; length < whole.length; length++) {
            byte[] part = Arrays.copyOf(whole, length);
            if (length == 24) {
                assertNull(reader(part).next());
                continue;
            }
            String expected = length < 24
                    ? "a capture file starts with 24 bytes of header, here are " + length
                    : length < 40
                            ? "the file ends inside the header of record 1"
                            : "the file ends inside record 1: " + (length - 40) + " of 52 bytes are there";
            var thrown =
                    assertThrows(PcapFormatException.class, () -> reader(part).next());
            assertEquals(expected, thrown.getMessage());
        }
    }

    @Test
    void shouldFindTheIpPacketInFramesOfAllInterfaces() throws IOException {
        byte[] ip = {0x45, 0, 0, 20, 0, 0, 0, 0, 64, 17, 0, 0, 127, 0, 0, 1, 127, 0, 0, 2};
        byte[] first =
                ByteBuffer.allocate(36).putShort(14, (short) 0x0800).put(16, ip).array();
        byte[] second =
                ByteBuffer.allocate(40).putShort(0, (short) 0x0800).put(20, ip).array();
        assertArrayEquals(
                ip,
                reader(file(ByteOrder.LITTLE_ENDIAN, 0xA1B2C3D4, 113, first, 0))
                        .next()
                        .ipPacket());
        assertArrayEquals(
                ip,
                reader(file(ByteOrder.LITTLE_ENDIAN, 0xA1B2C3D4, 276, second, 0))
                        .next()
                        .ipPacket());
    }

    @Test
    void shouldExplainWhenTheFileIsSomethingElse() {
        assertEquals("magic number 0x00000000 is none of a capture file", complaint(new byte[100]));
        assertEquals(
                "this is a pcapng file; PcapngReader reads it",
                complaint(ByteBuffer.allocate(64).putInt(0x0A0D0D0A).array()));
        assertEquals(
                "link type 105 is not read here, only Ethernet (1), raw IP (101) and Linux cooked (113, 276)",
                complaint(file(ByteOrder.LITTLE_ENDIAN, 0xA1B2C3D4, 105, new byte[4], 0)));
        assertEquals(
                "record 1 claims 4294967295 bytes, the limit is 262144",
                complaint(file(ByteOrder.BIG_ENDIAN, 0xA1B2C3D4, 1, new byte[4], -1)));
    }

    private static PcapReader reader(byte[] file) throws IOException {
        return new PcapReader(new ByteArrayInputStream(file));
    }

    private static String complaint(byte[] file) {
        return assertThrows(PcapFormatException.class, () -> reader(file).next())
                .getMessage();
    }

    /// A file of one frame, written by hand; `claimed` replaces the frame length unless it is 0.
    private static byte[] file(ByteOrder order, int magic, int linkType, byte[] frame, int claimed) {
        ByteBuffer file = ByteBuffer.allocate(40 + frame.length).order(order);
        file.putInt(magic)
                .putShort((short) 2)
                .putShort((short) 4)
                .putLong(0)
                .putInt(65535)
                .putInt(linkType);
        file.putInt(7).putInt(9).putInt(claimed == 0 ? frame.length : claimed).putInt(frame.length);
        return file.put(frame).array();
    }
}
