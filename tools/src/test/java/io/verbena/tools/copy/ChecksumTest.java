package io.verbena.tools.copy;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Test;

class ChecksumTest {
    @Test
    void shouldTellTheChecksumThatSha256sumTells() {
        assertEquals(
                "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
                Checksum.sha256(MemorySegment.ofArray(new byte[] {'a', 'b', 'c'})));
    }
}
