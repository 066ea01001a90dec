package io.verbena.tools.text;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PrintableTextTest {
    private static MemorySegment bytes(String text) {
        return MemorySegment.ofArray(text.getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void shouldShowTextsOfAllLanguages() {
        assertEquals("RDMA 写操作 ✓", PrintableText.of(bytes("RDMA 写操作 ✓")));
    }

    @ParameterizedTest
    @ValueSource(strings = {"\u001b[2J", "two\nlines", "\u202eright to left", "zero\0"})
    void shouldNotShowWhatCommandsATerminal(String text) {
        assertNull(PrintableText.of(bytes(text)));
    }

    @Test
    void shouldNotShowWhatIsNoText() {
        assertNull(PrintableText.of(MemorySegment.ofArray(new byte[] {'a', (byte) 0xFF})));
        assertNull(PrintableText.of(bytes("a".repeat(501))));
    }

    @Test
    void shouldEndAtTheZerosBehindAText() {
        assertEquals("abc", PrintableText.beforeZero(bytes("abc\0\0")));
        assertEquals("abc", PrintableText.beforeZero(bytes("abc")));
        assertEquals("", PrintableText.beforeZero(bytes("\0")));
        assertNull(PrintableText.beforeZero(bytes("abc\0d")));
    }
}
