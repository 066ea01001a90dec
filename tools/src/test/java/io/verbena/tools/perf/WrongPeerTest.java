package io.verbena.tools.perf;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.tools.BackgroundCommand;
import io.verbena.tools.CommandRun;
import io.verbena.tools.LoopbackAddress;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Peers that speak something else, keep silent, or leave.
@Timeout(60)
class WrongPeerTest {
    private static final byte[] MTU_AND_SIZES = {0, 0, 16, 0, 0, 0, 0, 64, '5', 0};

    /// What a peer does with the connection.
    private interface Behaviour {
        void act(Socket socket) throws Exception;
    }

    /// Our client against a server that does that.
    private static CommandRun measure(Behaviour server) throws Exception {
        String address = LoopbackAddress.any();
        try (var listener = new ServerSocket(0, 1, InetAddress.ofLiteral(address))) {
            var client = BackgroundCommand.start(
                    "perf",
                    "send-lat",
                    address,
                    "-p",
                    String.valueOf(listener.getLocalPort()),
                    "--provider",
                    "soft",
                    "--timeout",
                    "2",
                    "--no-warm-up");
            try (Socket socket = listener.accept()) {
                server.act(socket);
                return client.await();
            }
        }
    }

    /// Our server against a client that does that.
    private static CommandRun serve(Behaviour client, String... options) throws Exception {
        String[] all = new String[options.length + 3];
        System.arraycopy(options, 0, all, 0, options.length);
        System.arraycopy(new String[] {"--once", "--timeout", "2"}, 0, all, options.length, 3);
        try (var runs = new PerfRuns(all);
                var socket = new Socket(runs.address(), runs.port())) {
            client.act(socket);
            return runs.server().await();
        }
    }

    private static void assertFailed(CommandRun run, String text) {
        assertEquals(1, run.exitCode(), run.out() + run.err());
        assertEquals(1, run.err().lines().count(), run.err());
        assertTrue(run.err().contains(text), run.err());
    }

    private static void send(Socket socket, byte[] bytes) throws Exception {
        socket.getOutputStream().write(bytes);
    }

    private static byte[] text(String text) {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }

    private static byte[] line(char c) {
        return text(String.valueOf(c).repeat(108));
    }

    @Test
    void shouldNoticeAServerOfAnotherProtocol() throws Exception {
        assertFailed(measure(s -> send(s, text("HTTP/1.1 400 Bad Request\r\n\r\n"))), "speaks another protocol");
    }

    @Test
    void shouldNoticeAServerThatIsTooOld() throws Exception {
        assertFailed(measure(s -> send(s, text("5.33" + "\0".repeat(12)))), "perftest 5.33, which is too old");
    }

    @Test
    void shouldNotWaitForEverForASilentServer() throws Exception {
        assertFailed(measure(s -> {}), "no greeting within 2 s");
    }

    @Test
    void shouldNoticeAServerThatClosesAtOnce() throws Exception {
        assertFailed(measure(Socket::close), "the peer left before greeting");
    }

    @Test
    void shouldNoticeAServerThatStopsInTheHandshake() throws Exception {
        assertFailed(measure(s -> send(s, Greeting.bytes(false))), "no page size within 2 s");
    }

    @Test
    void shouldRefuseSizesThatNoMachineHas() throws Exception {
        Behaviour odd = s -> send(s, text("6.06" + "\0".repeat(12) + "\1\2\3\4"));
        assertFailed(measure(odd), "the peer's page size is 16909060");
    }

    @Test
    void shouldRefuseAKeyLineThatIsNone() throws Exception {
        Behaviour garbage = s -> {
            send(s, Greeting.bytes(false));
            send(s, MTU_AND_SIZES);
            send(s, line('z'));
        };
        assertFailed(measure(garbage), "line about its queue pair is unreadable");
    }

    @Test
    void shouldRefuseAServerThatTalksTooMuch() throws Exception {
        Behaviour flood = s -> {
            try {
                for (int i = 0; i < 1000; i++) {
                    send(s, new byte[1000]);
                }
            } catch (java.io.IOException closed) {
                // as it should be
            }
        };
        CommandRun run = measure(flood);
        assertEquals(1, run.exitCode());
        assertEquals(1, run.err().lines().count(), run.err());
    }

    @Test
    void shouldNoticeAClientOfAnotherProtocol() throws Exception {
        assertFailed(serve(c -> send(c, text("GET / HTTP/1.1\r\nHost: x\r\n"))), "begins with \"GET / HTTP/1.1..\"");
    }

    @Test
    void shouldNotWaitForEverForASilentClient() throws Exception {
        assertFailed(serve(c -> {}), "no greeting within 2 s");
    }

    @Test
    void shouldNoticeAClientThatLeaves() throws Exception {
        assertFailed(serve(Socket::close), "the peer left before greeting");
    }

    @Test
    void shouldTellWhatACClientNeeds() throws Exception {
        assertFailed(serve(c -> send(c, Greeting.bytes(false))), "start the server with that test");
    }

    @Test
    void shouldRefuseParametersThatAreTooLong() throws Exception {
        Behaviour large = c -> {
            send(c, Greeting.bytes(true));
            send(c, ByteBuffer.allocate(4).putInt(1 << 30).array());
        };
        assertFailed(serve(large), "parameters of 1073741824 bytes");
    }

    @Test
    void shouldRefuseParametersThatAreUnreadable() throws Exception {
        byte[] lines = text("test=send-lat\ntransport=XX\n");
        Behaviour wrong = c -> {
            send(c, Greeting.bytes(true));
            send(
                    c,
                    ByteBuffer.allocate(4 + lines.length)
                            .putInt(lines.length)
                            .put(lines)
                            .array());
        };
        assertFailed(serve(wrong), "parameters are unreadable");
    }

    @Test
    void shouldServeTheNextClientAfterAWrongOne() throws Exception {
        try (var runs = new PerfRuns("--timeout", "2")) {
            try (var socket = new Socket(runs.address(), runs.port())) {
                send(socket, text("HELO example.org\r\n\r\n"));
                assertEquals(-1, socket.getInputStream().read());
            }
            PerfRuns.assertMeasured(runs.run("send-lat", "-n", "20"), 2, 20);
        }
    }
}
