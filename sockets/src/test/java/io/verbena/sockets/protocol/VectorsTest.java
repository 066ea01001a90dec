package io.verbena.sockets.protocol;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;

/// Bytes that C programs sent, and some that they would send.
class VectorsTest {
    private static byte[] hex(String text) {
        return HexFormat.of().parseHex(text.replace(" ", ""));
    }

    private static String hex(byte[] bytes) {
        return HexFormat.of().formatHex(bytes);
    }

    @Test
    void shouldDecodeAndEncodePrivateDataOfC() {
        String text = "01020180 00000000 0000557411c73000 00000358 00000002 00007fc09bd57000 0000047e 00080000";
        ConnectionData data = ConnectionData.decode(hex(text + "00000000 00000000 00000000 00000000"));
        assertEquals(
                new ConnectionData(false, true, 384, 0, 0x557411c73000L, 0x358, 2, 0x7fc09bd57000L, 0x47e, 524_288),
                data);
        assertEquals(text.replace(" ", ""), hex(data.encode()));
    }

    @Test
    void shouldDecodePrivateDataOfABigEndianHost() {
        String text = "01030010 00000081 0000000000001000 aabbccdd 00000002 0000000000020000 11223344 00001000";
        ConnectionData data = ConnectionData.decode(hex(text));
        assertEquals(new ConnectionData(true, true, 16, 256, 0x1000, 0xaabbccdd, 2, 0x20000, 0x11223344, 4096), data);
        assertEquals(text.replace(" ", ""), hex(data.encode()));
    }

    @Test
    void shouldRefusePrivateDataOfOthers() {
        assertThrows(ProtocolException.class, () -> ConnectionData.decode(new byte[0]));
        assertThrows(ProtocolException.class, () -> ConnectionData.decode(hex("02020180")));
        assertThrows(ProtocolException.class, () -> ConnectionData.decode(hex("01020180"))); // no target list
    }

    @Test
    void shouldWriteEntriesInTheOrderOfTheReader() {
        byte[] bytes = new byte[16];
        TargetEntry entry = new TargetEntry(0x7efd33b9f000L, 0x430, 0x80000);
        entry.encode(MemorySegment.ofArray(bytes), 0, ByteOrder.LITTLE_ENDIAN);
        assertEquals("00f0b933fd7e0000" + "30040000" + "00000800", hex(bytes));
        assertEquals(entry, TargetEntry.decode(MemorySegment.ofArray(bytes), 0, ByteOrder.LITTLE_ENDIAN));
        entry.encode(MemorySegment.ofArray(bytes), 0, ByteOrder.BIG_ENDIAN);
        assertEquals("00007efd33b9f000" + "00000430" + "00080000", hex(bytes));
        byte[] map = new byte[24];
        MapEntry mapped = new MapEntry(100, 0x7f24775ab000L, 0x1d14, 64);
        mapped.encode(MemorySegment.ofArray(map), 0, ByteOrder.LITTLE_ENDIAN);
        assertEquals("6400000000000000" + "00b05a77247f0000" + "141d0000" + "40000000", hex(map));
        assertEquals(mapped, MapEntry.decode(MemorySegment.ofArray(map), 0, ByteOrder.LITTLE_ENDIAN));
    }

    @Test
    void shouldEncodeWords() {
        assertEquals(0x10, Word.data(16));
        assertEquals(0x10000, Word.data(65_536));
        assertEquals(0x80000180, Word.sgl(0, 384));
        assertEquals(0x80000184, Word.sgl(4, 384));
        assertEquals(0x800100d7, Word.sgl(64_751, 1000));
        assertEquals(0x80000422, Word.sgl(58, 1000));
        assertEquals(0xc0000003, Word.iomap(3));
        assertEquals(0xe0000000, Word.DISCONNECT);
        assertEquals(0xe0000002, Word.SHUTDOWN);
        assertThrows(IllegalArgumentException.class, () -> Word.data(0));
    }

    @Test
    void shouldScaleSizesOfMaps() {
        int[][] sizes = {{0, 0, 0}, {128, 128, 128}, {200, 0x80, 128}, {256, 0x81, 256}, {1000, 0x83, 768}};
        for (int[] size : sizes) {
            assertEquals(size[1], ScaledSize.encode(size[0]));
            assertEquals(size[2], ScaledSize.decode(size[1]));
        }
        assertEquals(32_512, ScaledSize.decode(0xFF));
    }

    @Test
    void shouldCountCreditsUpToAnAbsoluteLimit() {
        SendCredits credits = new SendCredits(16);
        for (int i = 0; i < 16; i++) {
            assertTrue(!credits.isEmpty());
            credits.take();
        }
        assertTrue(credits.isEmpty());
        credits.limit(0x10);
        assertTrue(credits.isEmpty());
        credits.limit(0x20);
        assertTrue(!credits.isEmpty());
        assertThrows(ProtocolException.class, () -> credits.limit(0x10)); // backwards
        assertThrows(ProtocolException.class, () -> credits.limit(0x21)); // more than the peer has
    }

    @Test
    void shouldCountCreditsAcrossTheEndOfSixteenBits() {
        SendCredits credits = new SendCredits(1000);
        int sent = 0;
        for (int round = 0; round < 200; round++) {
            while (!credits.isEmpty()) {
                credits.take();
                sent++;
            }
            credits.limit(Word.value(Word.sgl(sent & 0xFFFF, 1000)));
        }
        assertEquals(200_000, sent);
    }

    @Test
    void shouldReadEntriesAsLongsOfTheHost() {
        byte[] bytes = new byte[16];
        new TargetEntry(1, 2, -1).encode(MemorySegment.ofArray(bytes), 0, ByteOrder.nativeOrder());
        assertEquals(1, MemorySegment.ofArray(bytes).get(ValueLayout.JAVA_LONG_UNALIGNED, 0));
        // A length beyond 2^31 is as good as the longest.
        assertEquals(
                Integer.MAX_VALUE,
                TargetEntry.decode(MemorySegment.ofArray(bytes), 0, ByteOrder.nativeOrder())
                        .length());
    }
}
