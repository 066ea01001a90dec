package io.verbena.tools.ping;

import static io.verbena.tools.CommandRun.assertFailed;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.tools.BackgroundCommand;
import io.verbena.tools.CommandRun;
import io.verbena.tools.LoopbackAddress;
import io.verbena.verbs.cm.ConnectionId;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// The client against servers that do not keep to the protocol, and against none.
@Timeout(60)
class WrongServerTest {
    private static final int PORT = 12321;

    private final String address = LoopbackAddress.any();

    private BackgroundCommand startClient(String... more) {
        List<String> all = new ArrayList<>(List.of("ping", address, "--device", LoopbackAddress.any(), "-c", "3"));
        all.addAll(List.of(more));
        return BackgroundCommand.start(all.toArray(String[]::new));
    }

    /// Our client, against a server of its own kind.
    private CommandRun ping(Consumer<WrongPeer> server, String... more) throws Exception {
        try (ConnectionId listener = listen();
                var client = startClient(more);
                var peer = new WrongPeer(listener.awaitRequest(WrongPeer.PATIENCE))) {
            peer.receive();
            peer.id.accept(WaitMode.PARAMETERS);
            server.accept(peer);
            return client.await();
        }
    }

    private ConnectionId listen() {
        ConnectionId listener = WrongPeer.newId();
        listener.bind(new InetSocketAddress(address, PORT));
        listener.listen(0);
        return listener;
    }

    private List<BackgroundCommand> startClientsInEveryWay(String timeout) {
        return Ways.ALL.stream()
                .map(ways -> startClient("--timeout", timeout, "--cm", ways.cm(), "--wait", ways.completions()))
                .toList();
    }

    @Test
    void shouldNotWaitForEverForASilentServer() throws Exception {
        List<WrongPeer> peers = new ArrayList<>();
        try (ConnectionId listener = listen()) {
            List<BackgroundCommand> clients = startClientsInEveryWay("8"); // all connect in this time
            for (BackgroundCommand _ : clients) {
                var peer = new WrongPeer(listener.awaitRequest(WrongPeer.PATIENCE));
                peers.add(peer);
                peer.receive();
                peer.id.accept(WaitMode.PARAMETERS);
            }
            for (BackgroundCommand client : clients) {
                assertFailed(
                        client.await(), "message 0 to " + address + ":12321: no answer within 8 s: the peer hangs");
            }
        } finally {
            peers.forEach(WrongPeer::close);
        }
    }

    @Test
    void shouldNotWaitForEverForAServerThatDoesNotAccept() throws Exception {
        try (ConnectionId _ = listen()) {
            for (BackgroundCommand client : startClientsInEveryWay("2")) {
                assertFailed(client.await(), "cannot connect to " + address + ":12321: ");
            }
        }
    }

    @EveryWay
    void shouldNoticeThatTheServerLeft(String cm, String wait) throws Exception {
        CommandRun client = ping(server -> server.id.disconnect(), "--cm", cm, "--wait", wait);
        assertFailed(client, "the server disconnected after 0 of 3 round trips");
        assertTrue(client.out().contains(": 0 of 3 round trips of 8 bytes"), client.out());
    }

    @EveryWay
    void shouldRefuseAnAnswerOfOtherLength(String cm, String wait) throws Exception {
        CommandRun client = ping(
                server -> {
                    server.await(1);
                    server.send(7);
                },
                "--cm",
                cm,
                "--wait",
                wait);
        assertFailed(client, "message 0 to " + address + ":12321: a message of 7 bytes came in where 8 were agreed on");
    }

    @Test
    void shouldRefuseAnAnswerThatIsTooLong() throws Exception {
        CommandRun client = ping(server -> server.send(9));
        assertFailed(client, "RECEIVE of 8 bytes failed: local length error");
    }

    @Test
    void shouldNameTheByteThatIsWrong() throws Exception {
        CommandRun client = ping(
                server -> {
                    server.fill((byte) '!');
                    server.await(1);
                    server.send(8);
                },
                "--verify");
        assertFailed(client, "data mismatch: message 0, byte 0 of 8 is 0x21, expected 0x20");
    }

    @Test
    void shouldTellThatTheServerPostsNoReceive() throws Exception {
        CommandRun client = ping(
                server -> {
                    server.await(1);
                    server.send(8); // and takes no second message
                },
                "--wait",
                "notify");
        assertFailed(client, "SEND failed: RNR retry counter exceeded");
    }

    @EveryWay
    void shouldSayWhyTheServerRefuses(String cm, String wait) throws Exception {
        try (ConnectionId listener = listen();
                var client = startClient("--cm", cm, "--wait", wait);
                ConnectionId request = listener.awaitRequest(WrongPeer.PATIENCE)) {
            request.reject("closed on Sundays".getBytes(StandardCharsets.US_ASCII));
            assertFailed(
                    client.await(), "cannot connect to " + address + ":12321: the server refuses: closed on Sundays");
        }
    }

    @EveryWay
    void shouldSayWhatToStartWhenNobodyListens(String cm, String wait) throws Exception {
        try (ConnectionId _ = listen()) {
            CommandRun client =
                    startClient("--cm", cm, "--wait", wait, "-p", "4").await();
            assertFailed(
                    client,
                    "cannot connect to " + address + ":4: nobody listens there; start the server first: verbena ping");
        }
    }
}
