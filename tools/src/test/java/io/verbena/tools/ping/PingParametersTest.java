package io.verbena.tools.ping;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PingParametersTest {
    /// As it arrives: filled up with zeros.
    private static byte[] padded(byte[] said) {
        return Arrays.copyOf(said, 56);
    }

    private static byte[] hex(String text) {
        return padded(HexFormat.of().parseHex(text.replace(" ", "")));
    }

    @Test
    void shouldSayCountAndSizeInSixteenBytes() {
        assertArrayEquals(
                Arrays.copyOf(hex("000000000007a120 0000000000000008"), 16), new PingParameters(500_000, 8).encode());
    }

    @ParameterizedTest
    @CsvSource({"500000, 8", "1, 1", "10000, 65536", "65536, 4096", "4294967295, 268435456", "10, 1048576"})
    void shouldReadWhatItSays(long count, long size) {
        var parameters = new PingParameters(count, size);
        assertEquals(Optional.of(parameters), PingParameters.decode(padded(parameters.encode())));
        assertNull(PingParameters.complaint(padded(parameters.encode())));
    }

    @ParameterizedTest
    @CsvSource({"500000, 8", "1, 1", "1000, 65536", "10000, 100000", "500000, 4096", "10, 1048576"})
    void shouldReadTheByteOrderOfAMachine(long count, long size) {
        byte[] said = ByteBuffer.allocate(16)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putLong(count)
                .putLong(size)
                .array();
        assertEquals(Optional.of(new PingParameters(count, size)), PingParameters.decode(padded(said)));
    }

    @ParameterizedTest
    @CsvSource({"500000, 8", "1, 1", "1000, 65536", "10000, 100000", "500000, 4096", "10, 1048576"})
    void shouldReadShortWordsWithZerosBehind(int count, int size) {
        byte[] said = ByteBuffer.allocate(16)
                .putInt(count)
                .putInt(0)
                .putInt(size)
                .putInt(0)
                .array();
        assertEquals(Optional.of(new PingParameters(count, size)), PingParameters.decode(padded(said)));
    }

    @Test
    void shouldNoticeThatTheClientSaysNothing() {
        assertEquals(Optional.empty(), PingParameters.decode(new byte[56]));
        assertEquals(Optional.empty(), PingParameters.decode(new byte[0]));
        assertNull(PingParameters.complaint(new byte[56]));
    }

    @ParameterizedTest
    @CsvSource({
        "0000000000000000 0000000000000008, count 0 is not within",
        "0000000000000001 0000000000000000, size 0 is not within",
        "0000000000000001 0000000010000001, size 268435457 is not within 1 to 268435456",
        "ffffffffffffffff ffffffffffffffff, count -1 is not within",
        "68656c6c6f2c2074 686572652c206672, is not within",
        "000000000007a120 00000000000186a0 0000000000000004, another program",
    })
    void shouldSayWhatCannotBeDone(String said, String complaint) {
        String text = PingParameters.complaint(hex(said));
        assertTrue(text.contains(complaint), text);
    }
}
