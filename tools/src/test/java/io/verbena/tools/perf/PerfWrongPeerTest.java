package io.verbena.tools.perf;

import static io.verbena.tools.CommandRun.assertFailed;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.tools.BackgroundCommand;
import io.verbena.tools.CommandRun;
import io.verbena.tools.LoopbackAddress;
import io.verbena.tools.program.ProgramException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Peers that speak another protocol, are silent, or leave.
@Timeout(60)
class PerfWrongPeerTest {
    private static final byte[] MTU_AND_SIZES = {0, 0, 16, 0, 0, 0, 0, 64, '5', 0};

    /// What a peer does with the connection.
    private interface Behaviour {
        void act(Socket socket) throws Exception;
    }

    /// Runs our client against that server.
    private static CommandRun measure(Behaviour server) throws Exception {
        return measure(server, "20");
    }

    private static CommandRun measure(Behaviour server, String timeout) throws Exception {
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
                    timeout,
                    "--no-warm-up");
            try (Socket socket = listener.accept()) {
                server.act(socket);
                return client.await();
            }
        }
    }

    /// Runs our server against that client.
    private static CommandRun serve(Behaviour client) throws Exception {
        return serve(client, "20");
    }

    private static CommandRun serve(Behaviour client, String timeout) throws Exception {
        try (var runs = new PerfRuns("--once", "--timeout", timeout);
                var socket = new Socket(runs.address(), runs.port())) {
            client.act(socket);
            return runs.server().await();
        }
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
        assertFailed(measure(s -> {}, "2"), "no greeting within 2 s");
    }

    @Test
    void shouldNoticeAServerThatClosesAtOnce() throws Exception {
        assertFailed(measure(Socket::close), "the peer left before its greeting");
    }

    @Test
    void shouldNoticeAServerThatStopsInTheHandshake() throws Exception {
        assertFailed(measure(s -> send(s, Greeting.bytes(false)), "2"), "no page size within 2 s");
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
        assertFailed(serve(c -> {}, "2"), "no greeting within 2 s");
    }

    @Test
    void shouldNoticeAClientThatLeaves() throws Exception {
        assertFailed(serve(Socket::close), "the peer left before its greeting");
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
        assertFailed(serve(asking("test=send-lat\ntransport=XX\n")), "parameters are unreadable");
    }

    @Test
    void shouldPrintNothingThatCommandsTheTerminal() throws Exception {
        String lines = "test=send-lat\ntransport=RC\nsizes=2\niterations=\u001b[2J\n";
        assertFailed(serve(asking(lines)), "'iterations' is no number: ?[2J");
    }

    @Test
    void shouldRefuseToTakeMoreThanHalfOfTheMemory() throws Exception {
        String lines = """
                test=write-bw
                transport=RC
                sizes=2147483647
                iterations=1
                seconds=0
                tx-depth=1
                rx-depth=1
                cq-moderation=1
                inline=0
                queue-pairs=16384
                bidirectional=false
                events=false
                post-list=1
                mtu=1024
                atomic-type=FETCH_AND_ADD
                outstanding-reads=1
                ack-timeout=14
                retry-count=7
                warm-up=false
                verify=false
                """;
        assertFailed(serve(asking(lines)), "but half of the server's memory is");
    }

    /// A client that sends these lines as its parameters.
    private static Behaviour asking(String lines) {
        byte[] bytes = text(lines);
        return c -> {
            send(c, Greeting.bytes(true));
            send(
                    c,
                    ByteBuffer.allocate(4 + bytes.length)
                            .putInt(bytes.length)
                            .put(bytes)
                            .array());
        };
    }

    /// A server that was stopped after the last message keeps its connection open, and sends nothing any more.
    @Test
    void shouldNotWaitForEverForAServerThatHasNothingMoreToDo() throws Exception {
        try (var listener = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                var socket = new Socket(listener.getInetAddress(), listener.getLocalPort());
                var server = listener.accept();
                var channel = new PeerChannel(socket, true, Duration.ofSeconds(1))) {
            var error = assertThrows(ProgramException.class, () -> channel.receiveAfterRun(8, "DONE", false));
            assertTrue(error.getMessage().startsWith("no DONE within 2 s: the peer hangs"), error.getMessage());
            assertFalse(server.isClosed());
        }
    }

    @Test
    void shouldServeTheNextClientAfterAWrongOne() throws Exception {
        try (var runs = new PerfRuns("--timeout", "20")) {
            try (var socket = new Socket(runs.address(), runs.port())) {
                send(socket, text("HELO example.org\r\n\r\n"));
                assertEquals(-1, socket.getInputStream().read());
            }
            PerfRuns.assertMeasured(runs.run("send-lat", "-n", "20"), 2, 20);
        }
    }
}
