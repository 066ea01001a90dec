package io.verbena.tools.perf;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.tools.program.ProgramException;
import io.verbena.verbs.attr.Gid;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;

/// The bytes on the side channel, against lines written by hand from the description of perftest 6.06.
class WireFormatTest {
    private static final String LINE = "0000:0010:00001a:abcdef:00000185:00007f12345678a0:"
            + "00:00:00:00:00:00:00:00:00:00:ff:ff:0a:4d:00:01:00000000:";
    private static final KeyLine KEY =
            new KeyLine(0, 16, 0x1A, 0xABCDEF, 0x185, 0x7F12345678A0L, Gid.of(InetAddress.ofLiteral("10.77.0.1")), 0);

    @Test
    void shouldWriteAKeyLineAsPerftestDoes() {
        byte[] bytes = KEY.bytes();
        assertEquals(108, bytes.length);
        assertEquals(LINE + "\0", new String(bytes, StandardCharsets.US_ASCII));
    }

    @Test
    void shouldWriteAShorterLineOnLinksWithoutGids() {
        var line = new KeyLine(0x12, 1, 0xFFFFFF, 1, -1, -2, null, 3);
        byte[] bytes = line.bytes();
        assertEquals(59, bytes.length);
        assertEquals(
                "0012:0001:ffffff:000001:ffffffff:fffffffffffffffe:00000003\0",
                new String(bytes, StandardCharsets.US_ASCII));
        assertEquals(line, KeyLine.parse(bytes));
    }

    @Test
    void shouldReadAKeyLineOfPerftest() {
        assertEquals(KEY, KeyLine.parse((LINE + "\0").getBytes(StandardCharsets.US_ASCII)));
        assertEquals(KEY, KeyLine.parse((LINE.toUpperCase() + "\0").getBytes(StandardCharsets.US_ASCII)));
    }

    @Test
    void shouldRefuseWhatIsNoKeyLine() {
        byte[] garbage = new byte[KeyLine.BYTES];
        Arrays.fill(garbage, (byte) 'x');
        var error = assertThrows(ProgramException.class, () -> KeyLine.parse(garbage));
        assertTrue(error.getMessage().contains("unreadable"), error.getMessage());
        byte[] unended = (LINE + ":").getBytes(StandardCharsets.US_ASCII);
        assertThrows(ProgramException.class, () -> KeyLine.parse(unended));
    }

    @Test
    void shouldWriteAKeyStructAsPerftestDoes() {
        String hex = "00000000" + "00000010" + "0000001a" + "00abcdef" + "00000185" + "00000000" + "00007f12345678a0"
                + "00000000000000000000ffff0a4d0001" + "00000000" + "00000000";
        byte[] bytes = KeyStruct.bytes(KEY);
        assertEquals(hex, HexFormat.of().formatHex(bytes));
        assertEquals(KEY, KeyStruct.parse(bytes));
        assertThrows(ProgramException.class, () -> KeyStruct.parse(Arrays.copyOf(bytes, 108)));
    }

    @Test
    void shouldGreetLikePerftestAsFarAsCLooks() {
        byte[] bytes = Greeting.bytes(true);
        assertEquals(16, bytes.length);
        assertEquals("6.06\0verbena1\0\0\0", new String(bytes, StandardCharsets.US_ASCII));
        assertTrue(Greeting.parse(bytes).isVerbena());
        assertEquals("6.06", Greeting.parse(bytes).version());
    }

    @Test
    void shouldTellACPeerByItsZeros() {
        byte[] bytes = Greeting.bytes(false);
        assertArrayEquals(Arrays.copyOf("6.06".getBytes(StandardCharsets.US_ASCII), 16), bytes);
        assertFalse(Greeting.parse(bytes).isVerbena());
        assertFalse(Greeting.parse(Arrays.copyOf("6.29".getBytes(StandardCharsets.US_ASCII), 16))
                .isVerbena());
    }

    @Test
    void shouldRefusePeersOfOtherProtocolsAndOldOnes() {
        assertRefused("GET / HTTP/1.1\r\n", "another protocol");
        assertRefused("5.60\0\0\0\0\0\0\0\0\0\0\0\0", "too old");
        assertRefused("\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0", "another protocol");
    }

    private static void assertRefused(String greeting, String why) {
        var error = assertThrows(
                ProgramException.class, () -> Greeting.parse(greeting.getBytes(StandardCharsets.US_ASCII)));
        assertTrue(error.getMessage().contains(why), error.getMessage());
        assertFalse(error.getMessage().contains("\n"), error.getMessage());
    }

    @Test
    void shouldLayOutBuffersAsPerftestDoes() {
        var layout = new BufferLayout(64, 4096, 64, 2, 0);
        assertEquals(4096, layout.area());
        assertEquals(4096, layout.sendOffset(1));
        assertEquals(2 * 4096, layout.receiveOffset(0));
        assertEquals(3 * 4096, layout.receiveOffset(1));
        assertEquals(4 * 4096, layout.bytes());
        assertEquals(64, layout.slots(2));
        assertEquals(64, layout.slots(64));
        assertEquals(32, layout.slots(65));
        assertEquals(2, layout.slots(2048));
        assertEquals(1, layout.slots(2049));
        var large = new BufferLayout(65536, 4096, 64, 1, 40);
        assertEquals(65536, large.receiveOffset(0));
        assertTrue(large.bytes() >= 2 * 65536 + 40);
    }
}
