package io.verbena.roce.mad;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.verbena.roce.Hex;
import java.util.Random;
import org.junit.jupiter.api.Test;

class CmaHeaderTest {
    @Test
    void shouldPutIpv4AddressesAtTheEndOfTheirFields() {
        byte[] bytes = CmaHeader.of(40001, new byte[] {10, 77, 0, 2}, new byte[] {10, 77, 0, 3})
                .encode();
        assertEquals(
                Hex.text(Hex.bytes("00 40 9c41 000000000000000000000000 0a4d0002 000000000000000000000000 0a4d0003")),
                Hex.text(bytes));
        assertEquals(CmaHeader.of(40001, 0, 0xFFFF_0A4D_0002L, 0, 0xFFFF_0A4D_0003L), CmaHeader.decode(bytes));
    }

    @Test
    void shouldDecodeWhatItEncodedWhenAddressesAreIpv6() {
        long seed = 36;
        Random random = new Random(seed);
        for (int round = 0; round < 200; round++) {
            long sourceHi = random.nextLong() | 1;
            long destinationHi = random.nextLong() | 1;
            CmaHeader header = CmaHeader.of(random.nextInt(65536), sourceHi, round, destinationHi, ~round);
            CmaHeader decoded = CmaHeader.decode(header.encode((byte) 1, (byte) 2));
            assertEquals(header, decoded, "seed " + seed);
            assertEquals(header.hashCode(), decoded.hashCode(), "seed " + seed);
            assertEquals(header.toString(), decoded.toString(), "seed " + seed);
            assertEquals(6, decoded.ipVersion());
            assertEquals(sourceHi, decoded.sourceGidHi());
            assertEquals(round, decoded.sourceGidLo());
            assertEquals(destinationHi, decoded.destinationGidHi());
            assertEquals(~round, decoded.destinationGidLo());
        }
    }

    /// Some senders leave old bytes in front of an IPv4 address.
    @Test
    void shouldReadTheLastFourBytesWhenAddressesAreIpv4() {
        byte[] bytes = CmaHeader.of(1, new byte[] {10, 77, 0, 2}, new byte[] {10, 77, 0, 3})
                .encode();
        bytes[4] = 0x55;
        bytes[31] = 0x55;
        CmaHeader header = CmaHeader.decode(bytes);
        assertEquals(0, header.sourceGidHi());
        assertEquals(0xFFFF_0A4D_0002L, header.sourceGidLo());
        assertEquals(0xFFFF_0A4D_0003L, header.destinationGidLo());
    }

    @Test
    void shouldNameTheFieldWhenBytesAreWrong() {
        byte[] bytes = CmaHeader.of(1, new byte[4], new byte[4]).encode();
        assertEquals("a CMA header has 36 bytes, here are 35", complaint(new byte[35]));
        bytes[1] = 0x50;
        assertEquals("CMA IP version is 5, known are 4 and 6", complaint(bytes));
        bytes[0] = 2;
        assertEquals("CMA version is 2, known is 0", complaint(bytes));
        assertThrows(IllegalArgumentException.class, () -> CmaHeader.of(1, new byte[4], new byte[16]));
        assertThrows(IllegalArgumentException.class, () -> CmaHeader.of(1, new byte[5], new byte[5]));
        assertThrows(IllegalArgumentException.class, () -> CmaHeader.of(1, 0, 0xFFFF_0A4D_0002L, 1, 1));
        assertThrows(IllegalArgumentException.class, () -> new CmaHeader(0, 4, 1, 1, 1, 0, 0xFFFF_0A4D_0003L));
        assertThrows(IllegalArgumentException.class, () -> CmaHeader.of(65536, new byte[4], new byte[4]));
    }

    private static String complaint(byte[] bytes) {
        return assertThrows(MalformedMadException.class, () -> CmaHeader.decode(bytes))
                .getMessage();
    }
}
