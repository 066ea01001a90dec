package io.verbena.tools.program;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.tools.LoopbackAddress;
import io.verbena.verbs.Errno;
import io.verbena.verbs.RdmaException;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class SideChannelTest {
    private static final Output OUTPUT =
            new Output("test", new PrintWriter(System.out), new PrintWriter(System.err), false);
    private static final Duration SOON = Duration.ofSeconds(1);

    private final InetAddress address = InetAddress.ofLiteral(LoopbackAddress.any());
    private ServerSocket listener;
    private SideChannel channel;
    private Socket peer;

    @BeforeEach
    void connect() throws IOException {
        listener = new ServerSocket(0, 1, address);
        channel = SideChannel.connect(OUTPUT, at(), SOON, "a server");
        peer = listener.accept();
    }

    @AfterEach
    void close() throws IOException {
        channel.close();
        peer.close();
        listener.close();
    }

    private InetSocketAddress at() {
        return new InetSocketAddress(address, listener.getLocalPort());
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    @Test
    void shouldReadAMessageThatComesInPieces() throws Exception {
        Thread.ofVirtual().start(() -> {
            try {
                for (byte b : bytes("hello!")) {
                    peer.getOutputStream().write(b);
                    Thread.yield();
                }
            } catch (IOException e) {
                throw new AssertionError(e);
            }
        });
        assertArrayEquals(bytes("hell"), channel.read(4, "half a greeting"));
        assertArrayEquals(bytes("o!"), channel.read(2, "the other half"));
    }

    @Test
    void shouldWriteAWholeMessage() throws Exception {
        channel.write(bytes("done"), "the end");
        assertArrayEquals(bytes("done"), peer.getInputStream().readNBytes(4));
    }

    @Test
    void shouldSayWhatCameWhenThePeerLeaves() throws Exception {
        peer.getOutputStream().write(bytes("GET\n"));
        peer.close();
        var error = assertThrows(ProgramException.class, () -> channel.read(52, "address"));
        assertTrue(error.getMessage().contains("closed the connection before address came"), error.getMessage());
        assertTrue(error.getMessage().contains("only 4 of 52 bytes: 'GET.'"), error.getMessage());
    }

    @Test
    void shouldNotWaitForEverForASilentPeer() {
        var error = assertThrows(ProgramException.class, () -> channel.read(52, "address"));
        assertTrue(error.getMessage().startsWith("no address from"), error.getMessage());
        assertTrue(error.getMessage().contains("within 1 s; --timeout"), error.getMessage());
    }

    @Test
    void shouldEndItsWaitWhenInterrupted() {
        Thread.currentThread().interrupt();
        var error = assertThrows(RdmaException.class, () -> channel.read(52, "address"));
        assertEquals(Errno.EINTR, error.errno());
        assertFalse(Thread.interrupted());
    }

    @Test
    void shouldKnowWhetherThePeerHasClosedItsEnd() throws Exception {
        assertFalse(channel.isClosedByPeer(Duration.ZERO));
        peer.close();
        assertTrue(channel.isClosedByPeer(SOON));
    }

    @Test
    void shouldNotWaitForEverForTheEndOfAPeerThatKeepsTalking() throws Exception {
        Thread talker = Thread.ofVirtual().start(() -> {
            try {
                while (true) {
                    peer.getOutputStream().write(new byte[1 << 16]);
                }
            } catch (IOException closed) {
                // the test is over
            }
        });
        assertFalse(channel.isClosedByPeer(Duration.ofMillis(100)));
        peer.close();
        talker.join();
    }

    @Test
    void shouldSayThatNobodyListens() throws Exception {
        listener.close();
        var error = assertThrows(
                ProgramException.class, () -> SideChannel.connect(OUTPUT, at(), SOON, "verbena pingpong rc"));
        assertTrue(error.getMessage().contains(address.getHostAddress() + ":" + at().getPort()), error.getMessage());
        assertTrue(error.getMessage().endsWith("start the server first: verbena pingpong rc"), error.getMessage());
    }

    @Test
    void shouldQuoteBytesThatWouldUpsetATerminal() {
        assertEquals("'a.[31mb'", SideChannel.quote(bytes("a\u001b[31mb")));
        assertEquals("'" + "x".repeat(40) + "...'", SideChannel.quote(bytes("x".repeat(41))));
    }
}
