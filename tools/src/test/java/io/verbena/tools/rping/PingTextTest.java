package io.verbena.tools.rping;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PingTextTest {
    /// As the C program prints them.
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "0|64|rdma-ping-0: ABCDEFGHIJKLMNOPQRSTUVWXYZ[\\]^_`abcdefghijklmnopqr",
                "1|64|rdma-ping-1: BCDEFGHIJKLMNOPQRSTUVWXYZ[\\]^_`abcdefghijklmnopqrs",
                "9|30|rdma-ping-9: JKLMNOPQRSTUVWXY",
                "57|23|rdma-ping-57: zABCDEFG",
                "58|23|rdma-ping-58: ABCDEFGH",
                "1000|24|rdma-ping-1000: OPQRSTU",
            })
    void shouldBeTheTextOfTheOriginal(long ping, int size, String text) {
        MemorySegment buffer = MemorySegment.ofArray(new byte[size]);
        PingText.fill(buffer, ping);
        assertEquals(text, PingText.read(buffer));
        assertEquals(size - 1, PingText.length(buffer));
        assertEquals(-1, PingText.mismatch(buffer, ping));
    }

    @Test
    void shouldNameTheFirstWrongByte() {
        MemorySegment buffer = MemorySegment.ofArray(new byte[64]);
        PingText.fill(buffer, 3);
        buffer.set(ValueLayout.JAVA_BYTE, 20, (byte) '?');
        assertEquals(20, PingText.mismatch(buffer, 3));
        assertEquals("data mismatch! ping 3, byte 20 of 64 is 0x3f, expected 0x4b", PingText.describe(buffer, 3, 20));
    }

    @Test
    void shouldEndTheTextAtTheFirstZeroWhereverItIs() {
        for (int at = 0; at < 40; at++) {
            MemorySegment buffer = MemorySegment.ofArray(new byte[40]);
            buffer.fill((byte) 0x80);
            buffer.asSlice(at).fill((byte) 0);
            assertEquals(at, PingText.length(buffer));
        }
    }

    @Test
    void shouldNameAWrongByteOfTheHead() {
        MemorySegment buffer = MemorySegment.ofArray(new byte[23]);
        PingText.fill(buffer, 7);
        assertEquals(10, PingText.mismatch(buffer, 8));
    }

    @Test
    void shouldShowNothingThatUpsetsATerminal() {
        MemorySegment buffer = MemorySegment.ofArray("a\u001b[2Jb\0".getBytes(StandardCharsets.US_ASCII));
        assertEquals("a.[2Jb", PingText.read(buffer));
    }

    @Test
    void shouldNoticeAMissingEnd() {
        MemorySegment buffer = MemorySegment.ofArray(new byte[64]);
        PingText.fill(buffer, 0);
        buffer.set(ValueLayout.JAVA_BYTE, 63, (byte) 'x');
        assertEquals(63, PingText.mismatch(buffer, 0));
        assertEquals(64, PingText.length(buffer));
    }
}
