package io.verbena.tools.pingpong;

import static io.verbena.tools.CommandRun.assertFailed;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.tools.BackgroundCommand;
import io.verbena.tools.CommandRun;
import io.verbena.tools.LoopbackAddress;
import io.verbena.verbs.attr.Gid;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Peers that break the protocol of the side channel, and peers that leave. The peer here is a plain socket.
@Timeout(60)
class PingPongWrongPeerTest {
    private static final int PORT = 18515;
    /// A timeout for tests in which it must expire, and one that must not, also on a busy machine.
    private static final String SHORT = "2";

    private static final String LONG = "30";

    private final String address = LoopbackAddress.any();
    private final Destination nowhere = destination(LoopbackAddress.any());

    @FunctionalInterface
    private interface Talk {
        void with(Socket peer) throws IOException;
    }

    private static Destination destination(String address) {
        return new Destination(0, 0x123456, 0x654321, Gid.of(InetAddress.ofLiteral(address)));
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    private CommandRun serve(String kind, Talk client) throws Exception {
        return serve(kind, LONG, client);
    }

    /// Runs our server against a client that is not pingpong.
    private CommandRun serve(String kind, String timeout, Talk client) throws Exception {
        try (var server =
                BackgroundCommand.start("pingpong", kind, "--once", "-e", "--timeout", timeout, "--device", address)) {
            server.awaitText("server listens");
            try (Socket socket = new Socket(address, PORT)) {
                client.with(socket);
                return server.await();
            }
        }
    }

    /// Runs our client against a server that is not pingpong.
    private CommandRun run(String kind, String timeout, Talk server) throws Exception {
        try (ServerSocket listener = new ServerSocket(PORT, 1, InetAddress.ofLiteral(address));
                var client = BackgroundCommand.start(
                        "pingpong", kind, address, "-e", "--timeout", timeout, "--device", LoopbackAddress.any())) {
            try (Socket socket = listener.accept()) {
                server.with(socket);
                return client.await();
            }
        }
    }

    @Test
    void shouldTellABrowserApart() throws Exception {
        CommandRun server = serve(
                "rc",
                client -> client.getOutputStream()
                        .write(bytes("GET / HTTP/1.1\r\nHost: localhost:18515\r\nUser-Agent: browser\r\n\r\n")));
        assertFailed(
                server, "the peer sent 'GET / HTTP/1.1..Host: localhost:18515..U...' where the address of its queue");
    }

    @Test
    void shouldTellPerftestApart() throws Exception {
        CommandRun server =
                serve("rc", SHORT, client -> client.getOutputStream().write(bytes("6.06\0\0\0\0\0\0\0\0\0\0\0\0")));
        assertFailed(server, "only 16 of 52 bytes: '6.06............'");
    }

    @ParameterizedTest
    @CsvSource({"rc", "srq"})
    void shouldNotWaitForEverForASilentClient(String kind) throws Exception {
        assertFailed(serve(kind, SHORT, _ -> {}), "no address of a queue pair");
    }

    @Test
    void shouldNotWaitForEverForASilentServer() throws Exception {
        CommandRun client = run("rc", SHORT, server -> server.getInputStream().readNBytes(Destination.BYTES));
        assertFailed(client, "no address of a queue pair from " + address + ":18515 within 2 s");
    }

    @Test
    void shouldNoticeThatTheClientLeft() throws Exception {
        assertFailed(serve("uc", Socket::close), "closed the connection before address of a queue pair came");
    }

    @Test
    void shouldNoticeAnSrqClientOfAnRcServer() throws Exception {
        CommandRun server = serve("rc", client -> {
            client.getOutputStream().write(nowhere.line());
            client.getOutputStream().write(nowhere.line());
        });
        assertFailed(server, "where 'done' should be: it is another program, or another kind of pingpong than rc");
    }

    @Test
    void shouldNoticeAnRcClientOfAnSrqServer() throws Exception {
        CommandRun server =
                serve("srq", SHORT, client -> client.getOutputStream().write(nowhere.line()));
        assertFailed(server, "no address of a queue pair 2 of 256");
    }

    @Test
    void shouldTellTheClientThatItNeedsAGid() throws Exception {
        Destination without = new Destination(0, 17, 1, new Gid(0, 0));
        CommandRun server = serve("rc", client -> client.getOutputStream().write(without.line()));
        assertFailed(server, "the peer sent no GID, which is its address on Ethernet; start it with -g INDEX");
    }

    @Test
    void shouldNoticeAGidOfTheOtherKind() throws Exception {
        CommandRun server = serve(
                "rc",
                client -> client.getOutputStream().write(destination("fe80::1").line()));
        assertFailed(server, "the peer's GID fe80::1 and ::ffff:" + address + " here are of different kinds");
    }

    @ParameterizedTest
    @CsvSource({"rc,is no rc pingpong", "uc,a message was lost", "ud,a message was lost"})
    void shouldAnswerAsTheOriginalExpectsAndNotWaitForEverForMessages(String kind, String why) throws Exception {
        CommandRun server = serve(kind, SHORT, client -> {
            client.getOutputStream().write(nowhere.line());
            Destination.parse(client.getInputStream().readNBytes(Destination.BYTES));
            client.getOutputStream().write(bytes("done\0"));
            client.shutdownOutput(); // as the C program, which closes it
        });
        assertFailed(server, "sent 0 and received 0 of 1000 messages, then nothing came for 2 s: ");
        assertTrue(server.err().contains(why), server.err());
    }

    @Test
    void shouldSayDoneAndGiveAServerUpThatDoesNotAnswer() throws Exception {
        CommandRun client = run("rc", SHORT, server -> {
            Destination.parse(server.getInputStream().readNBytes(Destination.BYTES));
            server.getOutputStream().write(nowhere.line());
            assertArrayEquals(bytes("done\0"), server.getInputStream().readNBytes(5));
        });
        assertFailed(client, "of 1000 messages");
    }

    @Test
    void shouldTell256AddressesForASharedReceiveQueue() throws Exception {
        CommandRun client = run("srq", LONG, server -> {
            for (int i = 0; i < 256; i++) {
                Destination told = Destination.parse(server.getInputStream().readNBytes(Destination.BYTES));
                assertEquals(i >= 16, told.equals(Destination.NONE), told.text());
            }
            server.close();
        });
        assertFailed(client, "before address of a queue pair 1 of 256 came");
    }

    @Test
    void shouldGoOnServingAfterAWrongClient() throws Exception {
        try (var server = BackgroundCommand.start("pingpong", "rc", "-e", "-n", "5", "--device", address)) {
            server.awaitText("server listens");
            try (Socket socket = new Socket(address, PORT)) {
                socket.getOutputStream().write(bytes("x".repeat(Destination.BYTES)));
                assertEquals(-1, socket.getInputStream().read());
            }
            CommandRun client = CommandRun.of(
                    "pingpong", "rc", address, "-e", "-n", "5", "--verify", "--device", LoopbackAddress.any());
            assertEquals(0, client.exitCode(), client.err());
        }
    }
}
