package io.verbena.tools.blast;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// The encoding of private data and acknowledgements, and the parts of blast.
class BlastFormatTest {
    @Test
    void shouldTellThreeNumbersInPrivateData() {
        var parameters = new BlastParameters(500_000, 100_000, 4);
        assertEquals(
                "000000000007a120" + "00000000000186a0" + "0000000000000004",
                HexFormat.of().formatHex(parameters.encode()));
        byte[] arrived = Arrays.copyOf(parameters.encode(), 56); // the network fills private data up with zeros
        assertNull(BlastParameters.complaint(arrived));
        assertEquals(parameters, BlastParameters.decode(arrived));
    }

    @ParameterizedTest
    @CsvSource({
        "1, 1, 0, 'ping perhaps'",
        "0, 1, 1, count 0 is not within 1 to 1099511627776",
        "-1, 1, 1, count 18446744073709551615",
        "1, 0, 1, size 0",
        "1, 268435457, 1, size 268435457",
        "1, 1, 1025, buffers 1025",
        "1, 1, -1, buffers 18446744073709551615",
        "1, 268435456, 2, 2 buffers of 268435456 bytes are more than"
    })
    void shouldComplainOfWhatCannotBe(long count, long size, long buffers, String complaint) {
        String actual =
                BlastParameters.complaint(Arrays.copyOf(new BlastParameters(count, size, buffers).encode(), 56));
        assertTrue(actual.contains(complaint), actual);
    }

    @Test
    void shouldTellLongerPrivateDataFromItsOwn() {
        byte[] longer = ByteBuffer.allocate(56)
                .put(new BlastParameters(1, 1, 1).encode())
                .put((byte) 1)
                .array();
        assertTrue(BlastParameters.complaint(longer).contains("longer"));
        assertTrue(BlastParameters.complaint(new byte[0]).contains("another program"));
    }

    @Test
    void shouldChainRequestsAroundTheEndOfTheRing() {
        var chain = new Chain<>(List.of("a", "b", "c", "d"));
        assertEquals(List.of("a", "b", "c", "d"), chain.of(0, 4));
        assertEquals(List.of("c", "d", "a"), chain.of(6, 9));
        assertEquals(List.of(), chain.of(3, 3));
    }

    @Test
    void shouldFillBuffersAsTheCProgramDoes() {
        byte[] bytes = new byte[300];
        MemorySegment all = MemorySegment.ofArray(bytes);
        for (int buffer = 0; buffer < 3; buffer++) {
            BlastPattern.fill(all, 100, buffer);
            assertEquals(-1, BlastPattern.mismatch(all, 100, buffer));
        }
        String text = new String(bytes, StandardCharsets.US_ASCII);
        assertTrue(text.startsWith(" !\"#$%"), text);
        assertEquals("}~ !\"#", text.substring(93, 99)); // on and on, whatever the buffer
        assertEquals(text.substring(0, 95), text.substring(95, 190));
    }

    @Test
    void shouldFindAWrongByteFarBehind() {
        byte[] bytes = new byte[200_000];
        MemorySegment all = MemorySegment.ofArray(bytes);
        BlastPattern.fill(all, 100_000, 0);
        BlastPattern.fill(all, 100_000, 1);
        bytes[199_999] ^= 1;
        assertEquals(-1, BlastPattern.mismatch(all, 100_000, 0));
        assertEquals(99_999, BlastPattern.mismatch(all, 100_000, 1));
    }
}
