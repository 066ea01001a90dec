package io.verbena.tools.pingpong;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.tools.program.ProgramException;
import io.verbena.verbs.attr.Gid;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DestinationTest {
    private static final String LINE = "0001:00a2b3:c4d5e6:00000000000000000000ffff0a4d0001\0";
    private static final Destination DESTINATION =
            new Destination(1, 0xa2b3, 0xc4d5e6, Gid.of(InetAddress.ofLiteral("10.77.0.1")));

    private static byte[] bytes(String line) {
        return line.getBytes(StandardCharsets.ISO_8859_1);
    }

    @Test
    void shouldWriteTheLineByteForByte() {
        assertArrayEquals(bytes(LINE), DESTINATION.line());
        assertEquals(Destination.BYTES, DESTINATION.line().length);
    }

    @Test
    void shouldWriteZerosWhereThereIsNoQueuePair() {
        assertArrayEquals(bytes("0000:000000:000000:" + "0".repeat(32) + "\0"), Destination.NONE.line());
    }

    @Test
    void shouldReadTheLine() {
        assertEquals(DESTINATION, Destination.parse(bytes(LINE)));
    }

    @Test
    void shouldPrintItAsTheOriginalDoes() {
        assertEquals("LID 0x0001, QPN 0x00a2b3, PSN 0xc4d5e6, GID ::ffff:10.77.0.1", DESTINATION.text());
        Gid linkLocal = Gid.of(InetAddress.ofLiteral("fe80::5054:ff:fe00:1"));
        assertEquals(
                "LID 0x0000, QPN 0x000011, PSN 0x000000, GID fe80::5054:ff:fe00:1",
                new Destination(0, 0x11, 0, linkLocal).text());
        assertEquals("LID 0x0000, QPN 0x000000, PSN 0x000000, GID ::", Destination.NONE.text());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "GET / HTTP/1.1\r\nHost: 127.0.0.1:18515\r\nUser-Agent: c",
                "0001:00a2b3:c4d5e6:00000000000000000000ffff0a4d0001\n",
                "0001:00a2b3:c4d5e6:00000000000000000000ffff0a4d000g\0",
                "0001:00a2b3:-4d5e6:00000000000000000000ffff0a4d0001\0",
                "0001 00a2b3 c4d5e6 00000000000000000000ffff0a4d0001\0",
                "00001:0a2b3:c4d5e6:00000000000000000000ffff0a4d0001\0",
                "\u00ff\u00fe\0"
            })
    void shouldRefuseAnythingElseAndQuoteIt(String line) {
        var error = assertThrows(ProgramException.class, () -> Destination.parse(bytes(line)));
        assertTrue(error.getMessage().startsWith("the peer sent '"), error.getMessage());
        assertTrue(error.getMessage().matches("[ -~]*"), error.getMessage());
    }
}
