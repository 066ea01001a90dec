package io.verbena.roce.dump;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.roce.GoldenPackets;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PcapngReaderTest {
    private static final int SECTION = 0x0A0D_0D0A;
    private static final int INTERFACE = 1;
    private static final int SIMPLE_PACKET = 3;
    private static final int ENHANCED_PACKET = 6;
    private static final int RAW = 101;
    private static final int UNKNOWN_LINK = 147;
    private static final int NANOSECONDS = 9;
    private static final byte[] PACKET = GoldenPackets.SEND_ONLY;
    private static final int DAMAGED_FILES = 20_000;

    /// Writes a file in one byte order.
    private static final class File {
        private final ByteOrder order;
        private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

        File(ByteOrder order) {
            this.order = order;
        }

        private ByteBuffer buffer(int length) {
            return ByteBuffer.allocate(length).order(order);
        }

        File block(int type, ByteBuffer content) {
            int length = content.capacity() + 12;
            bytes.writeBytes(buffer(length)
                    .putInt(type)
                    .putInt(length)
                    .put(content.array())
                    .putInt(length)
                    .array());
            return this;
        }

        File section() {
            return block(
                    SECTION, buffer(16).putInt(0x1A2B_3C4D).putShort((short) 1).putShort(6, (short) 0));
        }

        /// With a name before the resolution, which is no multiple of four bytes long.
        File describe(int linkType, int resolution) {
            return block(
                    INTERFACE,
                    buffer(28)
                            .putShort((short) linkType)
                            .putShort((short) 0)
                            .putInt(0)
                            .putShort((short) 2)
                            .putShort((short) 3)
                            .put(new byte[] {'e', 't', 'h', 0})
                            .putShort((short) 9)
                            .putShort((short) 1)
                            .put((byte) resolution)
                            .put(new byte[3]));
        }

        File packet(int interfaceId, long ticks, int captured) {
            return block(
                    ENHANCED_PACKET,
                    buffer(20 + (PACKET.length + 3) / 4 * 4)
                            .putInt(interfaceId)
                            .putInt((int) (ticks >>> 32))
                            .putInt((int) ticks)
                            .putInt(captured)
                            .putInt(PACKET.length)
                            .put(PACKET));
        }

        File packet(int interfaceId, long ticks) {
            return packet(interfaceId, ticks, PACKET.length);
        }

        PcapngReader reader() {
            return reader(bytes.toByteArray());
        }

        static PcapngReader reader(byte[] bytes) {
            return new PcapngReader(new ByteArrayInputStream(bytes));
        }
    }

    private static File little() {
        return new File(ByteOrder.LITTLE_ENDIAN).section();
    }

    @Test
    void shouldReadSectionsOfEitherByteOrder() throws IOException {
        File big = new File(ByteOrder.BIG_ENDIAN)
                .section()
                .describe(RAW, NANOSECONDS)
                .packet(0, 1L << 40 | 5);
        big.bytes.writeBytes(
                little().describe(RAW, NANOSECONDS).packet(0, 7).bytes.toByteArray());
        try (PcapngReader reader = big.reader()) {
            PcapRecord first = reader.next();
            assertEquals(1L << 40 | 5, first.timestampNs());
            assertArrayEquals(PACKET, first.ipPacket());
            assertEquals(7, reader.next().timestampNs());
            assertNull(reader.next());
        }
    }

    @Test
    void shouldCountFramesOfInterfacesThatItDoesNotRead() throws IOException {
        File file = little().describe(UNKNOWN_LINK, NANOSECONDS).describe(RAW, 6);
        try (PcapngReader reader = file.packet(0, 1).packet(1, 2).packet(0, 3).reader()) {
            assertEquals(2000, reader.next().timestampNs());
            assertNull(reader.next());
            assertEquals(2, reader.skipped());
        }
    }

    @Test
    void shouldReadSimplePacketsWithoutTheirPadding() throws IOException {
        byte[] odd = {0x45, 2, 3, 4, 5};
        File file = little().describe(RAW, NANOSECONDS);
        file.block(SIMPLE_PACKET, file.buffer(12).putInt(odd.length).put(odd));
        try (PcapngReader reader = file.reader()) {
            PcapRecord frame = reader.next();
            assertArrayEquals(odd, frame.frame());
            assertEquals(0, frame.timestampNs());
        }
    }

    /// Resolutions of 10^-n seconds, and with the highest bit of 2^-n.
    @ParameterizedTest
    @CsvSource({
        "0, 1700000000, 1700000000000000000",
        "6, 1700000000123456, 1700000000123456000",
        "9, 1700000000123456789, 1700000000123456789",
        "12, 1700000123456789, 1700000123457",
        // 2^-20: half a second behind 1,700,000,000 seconds
        "148, 1782579200524288, 1700000000500000000",
        // 2^-30
        "158, 1825361101336870912, 1700000000500000000",
        "128, 1700000000, 1700000000000000000"
    })
    void shouldReadTimesOfAnyResolution(int resolution, long ticks, long timeNs) throws IOException {
        try (PcapngReader reader =
                little().describe(RAW, resolution).packet(0, ticks).reader()) {
            assertEquals(timeNs, reader.next().timestampNs());
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {19, 127, 128 + 63, 255})
    void shouldRefuseResolutionsThatNoNumberHolds(int resolution) throws IOException {
        try (PcapngReader reader =
                little().describe(RAW, resolution).packet(0, 1).reader()) {
            assertThrows(PcapFormatException.class, reader::next);
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {Long.MAX_VALUE, -1, Long.MAX_VALUE / 1_000_000_000})
    void shouldRefuseTimesThatNanosecondsCannotCount(long seconds) throws IOException {
        try (PcapngReader reader = little().describe(RAW, 0).packet(0, seconds).reader()) {
            assertThrows(PcapFormatException.class, reader::next);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0x7FFF_FFEC, 0x7FFF_FFFF, -1, 1000})
    void shouldRefuseAPacketLongerThanItsBlock(int captured) throws IOException {
        File file = little().describe(RAW, NANOSECONDS).packet(0, 1, captured);
        try (PcapngReader reader = file.reader()) {
            String message =
                    assertThrows(PcapFormatException.class, reader::next).getMessage();
            assertTrue(message.contains("block 3 has a packet longer than its block"), message);
        }
    }

    @Test
    void shouldRefuseASectionWithoutRoomForItsLength() throws IOException {
        byte[] section = ByteBuffer.allocate(12)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putInt(SECTION)
                .putInt(12)
                .putInt(0x1A2B_3C4D)
                .array();
        try (PcapngReader reader = File.reader(section)) {
            assertThrows(PcapFormatException.class, reader::next);
        }
    }

    @Test
    void shouldRefusePacketsOfInterfacesThatWereNotDescribed() throws IOException {
        try (PcapngReader reader =
                little().describe(RAW, NANOSECONDS).packet(1, 1).reader()) {
            assertThrows(PcapFormatException.class, reader::next);
        }
    }

    /// Whatever is in the file: frames, then its end or a sentence.
    @Test
    void shouldSurviveDamage() throws IOException {
        byte[] whole = little().describe(RAW, NANOSECONDS)
                .packet(0, 1)
                .describe(1, 148)
                .packet(1, 2)
                .packet(0, 3)
                .bytes
                .toByteArray();
        long seed = Long.getLong("verbena.test.seed", System.nanoTime());
        Random random = new Random(seed);
        int[] interesting = {0, 1, 4, 12, 0x7F, 0x80, 0xEC, 0xFF};
        for (int n = 0; n < DAMAGED_FILES; n++) {
            byte[] file = whole.clone();
            for (int hits = 1 + random.nextInt(6); hits > 0; hits--) {
                file[random.nextInt(file.length)] =
                        (byte) (random.nextBoolean() ? random.nextInt() : interesting[random.nextInt(8)]);
            }
            try (PcapngReader reader = File.reader(file)) {
                for (PcapRecord each = reader.next(); each != null; each = reader.next()) {
                    assertTrue(each.ipPacket().length <= file.length);
                }
            } catch (PcapFormatException e) {
                assertTrue(e.getMessage().contains("block"), e.getMessage());
            } catch (RuntimeException e) {
                throw new AssertionError("file " + n + ", -Dverbena.test.seed=" + seed, e);
            }
        }
    }
}
