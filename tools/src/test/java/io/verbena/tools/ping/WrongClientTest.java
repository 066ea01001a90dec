package io.verbena.tools.ping;

import static io.verbena.tools.CommandRun.assertFailed;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.tools.BackgroundCommand;
import io.verbena.tools.CommandRun;
import io.verbena.tools.LoopbackAddress;
import io.verbena.verbs.Errno;
import io.verbena.verbs.RdmaException;
import io.verbena.verbs.cm.ConnectionId;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// The server against clients of other programs, old ones, and those that leave.
@Timeout(60)
class WrongClientTest {
    private static final byte[] THREE_OF_EIGHT = new PingParameters(3, 8).encode();

    private final String address = LoopbackAddress.any();

    private BackgroundCommand startServer(String... more) throws InterruptedException {
        List<String> all = new ArrayList<>(List.of("ping", "--once", "--device", address));
        all.addAll(List.of(more));
        return BackgroundCommand.start(all.toArray(String[]::new)).awaitText("server listens on " + address);
    }

    private CommandRun serve(byte[] privateData, Consumer<WrongPeer> client, String... more) throws Exception {
        try (var server = startServer(more);
                var peer = new WrongPeer(resolve(address))) {
            connect(peer, privateData);
            client.accept(peer);
            return server.await();
        }
    }

    private static ConnectionId resolve(String address) {
        ConnectionId id = WrongPeer.newId();
        id.resolveAddress(
                new InetSocketAddress(LoopbackAddress.any(), 0),
                new InetSocketAddress(address, 12321),
                WrongPeer.PATIENCE);
        id.resolveRoute(WrongPeer.PATIENCE);
        return id;
    }

    private static void connect(WrongPeer peer, byte[] privateData) {
        peer.receive();
        peer.id.connect(WaitMode.PARAMETERS.withPrivateData(privateData));
    }

    /// A whole round trip.
    private static void ping(WrongPeer client, int bytes) {
        client.send(bytes);
        client.await(2);
        client.receive();
    }

    @Test
    void shouldNotWaitForEverForASilentClient() throws Exception {
        List<BackgroundCommand> servers = new ArrayList<>();
        List<WrongPeer> clients = new ArrayList<>();
        try {
            for (Ways ways : Ways.ALL) {
                String own = LoopbackAddress.any();
                servers.add(BackgroundCommand.start(
                        "ping",
                        "--once",
                        "--device",
                        own,
                        "--timeout",
                        "6",
                        "--cm",
                        ways.cm(),
                        "--wait",
                        ways.completions()));
                servers.getLast().awaitText("server listens on " + own);
                clients.add(new WrongPeer(resolve(own)));
                connect(clients.getLast(), THREE_OF_EIGHT);
            }
            for (BackgroundCommand server : servers) {
                assertFailed(server.await(), ": no message within 6 s: the peer hangs");
            }
        } finally {
            clients.forEach(WrongPeer::close);
            servers.forEach(BackgroundCommand::close);
        }
    }

    @EveryWay
    void shouldNoticeThatTheClientLeftInTheMiddle(String cm, String wait) throws Exception {
        CommandRun server = serve(
                THREE_OF_EIGHT,
                client -> {
                    ping(client, 8);
                    client.id.disconnect();
                },
                "--cm",
                cm,
                "--wait",
                wait);
        assertFailed(server, ": disconnected after 1 of 3 round trips");
        assertTrue(server.out().contains(": 1 of 3 round trips of 8 bytes"), server.out());
    }

    @EveryWay
    void shouldRefuseAMessageOfOtherLength(String cm, String wait) throws Exception {
        CommandRun server = serve(THREE_OF_EIGHT, client -> client.send(5), "--cm", cm, "--wait", wait);
        assertFailed(server, ": a message of 5 bytes came in where 8 were agreed on; is the peer another program?");
    }

    @Test
    void shouldRefuseAMessageThatIsTooLong() throws Exception {
        CommandRun server = serve(THREE_OF_EIGHT, client -> client.send(9));
        assertFailed(server, ": RECEIVE of 8 bytes failed: local length error");
    }

    @Test
    void shouldServeAClientThatSaysNothingByItsOwnParameters() throws Exception {
        CommandRun server = serve(
                new byte[0],
                client -> {
                    ping(client, 100);
                    ping(client, 100);
                    client.id.disconnect();
                },
                "-c",
                "2",
                "-s",
                "100");
        assertEquals(0, server.exitCode(), server.err());
        assertTrue(server.out().contains(": 2 round trips of 100 bytes"), server.out());
    }

    @Test
    void shouldServeAClientThatWritesNumbersInItsOwnOrder() throws Exception {
        byte[] said = ByteBuffer.allocate(16)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putLong(1)
                .putLong(30)
                .array();
        CommandRun server = serve(said, client -> {
            ping(client, 30);
            client.id.disconnect();
        });
        assertEquals(0, server.exitCode(), server.err());
        assertTrue(server.out().contains(": 1 round trips of 30 bytes"), server.out());
    }

    @Test
    void shouldRefuseMoreMessagesThanAgreedOn() throws Exception {
        CommandRun server = serve(new PingParameters(1, 8).encode(), client -> {
            ping(client, 8);
            client.send(8);
        });
        assertFailed(server, "sends more than the 1 messages agreed on");
    }

    @Test
    void shouldNameTheByteThatIsWrong() throws Exception {
        CommandRun server = serve(
                THREE_OF_EIGHT,
                client -> {
                    client.fill((byte) ' ');
                    client.send(8);
                },
                "--verify");
        assertFailed(server, "data mismatch: message 0, byte 1 of 8 is 0x20, expected 0x21");
    }

    @Test
    void shouldRefuseOtherPrograms() throws Exception {
        byte[] said = ByteBuffer.allocate(24)
                .putLong(500_000)
                .putLong(100_000)
                .putLong(4)
                .array();
        try (var server = startServer();
                var peer = new WrongPeer(resolve(address))) {
            RdmaException refused = assertThrows(RdmaException.class, () -> connect(peer, said));
            assertEquals(Errno.ECONNREFUSED, refused.errno());
            String reason = new String(peer.id.event().privateData(), StandardCharsets.US_ASCII);
            assertTrue(reason.startsWith("the client's private data is longer"), reason);
            assertFailed(server.await(), "is refused: the client's private data is longer than the 16 bytes of ping");
        }
    }

    @Test
    void shouldEndAnRpingThatStrayedHere() throws Exception {
        try (var server = startServer("--wait", "notify")) {
            CommandRun rping =
                    CommandRun.of("rping", "-c", "-a", address, "-p", "12321", "-C", "1", "-I", LoopbackAddress.any());
            assertEquals(1, rping.exitCode(), rping.out() + rping.err());
            assertEquals(1, rping.err().lines().count(), rping.err());
            assertFailed(server.await(), ": RECEIVE of 8 bytes failed: local length error");
        }
    }
}
