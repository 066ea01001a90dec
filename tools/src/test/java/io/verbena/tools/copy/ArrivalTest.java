package io.verbena.tools.copy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ArrivalTest {
    private static MemorySegment bytes(String text) {
        return MemorySegment.ofArray(text.getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void shouldShowTextsOfAllLanguages() {
        assertEquals("RDMA 写操作 ✓", Arrival.text(bytes("RDMA 写操作 ✓")));
    }

    @ParameterizedTest
    @ValueSource(strings = {"\u001b[2J", "two\nlines", "\u202eright to left", "zero\0"})
    void shouldNotShowWhatCommandsATerminal(String text) {
        assertNull(Arrival.text(bytes(text)));
    }

    @Test
    void shouldNotShowWhatIsNoText() {
        assertNull(Arrival.text(MemorySegment.ofArray(new byte[] {'a', (byte) 0xFF})));
        assertNull(Arrival.text(bytes("a".repeat(501))));
    }

    @Test
    void shouldTellTheChecksumThatSha256sumTells() {
        assertEquals("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad", Arrival.sha256(bytes("abc")));
    }
}
