package io.verbena.tools.program;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PrintablePatternTest {
    private static MemorySegment message(int size, long number) {
        MemorySegment message = MemorySegment.ofArray(new byte[size]);
        PrintablePattern.fill(message, number);
        return message;
    }

    @Test
    void shouldBePrintable() {
        byte[] bytes = message(200, 1_000_000_007).toArray(ValueLayout.JAVA_BYTE);
        assertTrue(new String(bytes, StandardCharsets.US_ASCII).chars().allMatch(c -> c >= ' ' && c <= '~'));
        assertEquals("!\"#$%", new String(message(5, 1).toArray(ValueLayout.JAVA_BYTE), StandardCharsets.US_ASCII));
    }

    @Test
    void shouldDifferFromTheMessageBeforeInItsFirstByte() {
        for (long number = 1; number < 300; number++) {
            assertEquals(0, PrintablePattern.mismatch(message(8, number - 1), number));
            assertEquals(-1, PrintablePattern.mismatch(message(8, number), number));
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 65535, 65536, 65537, 199_999})
    void shouldFindTheByteThatIsWrong(int at) {
        MemorySegment message = message(200_000, 41);
        byte right = message.get(ValueLayout.JAVA_BYTE, at);
        message.set(ValueLayout.JAVA_BYTE, at, (byte) 7);
        assertEquals(at, PrintablePattern.mismatch(message, 41));
        String text = PrintablePattern.describe(message, 41, 41, at);
        assertEquals(
                String.format("data mismatch: message 41, byte %,d of 200,000 is 0x07, expected 0x%02x", at, right),
                text);
    }
}
