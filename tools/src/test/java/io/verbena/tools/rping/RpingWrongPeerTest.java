package io.verbena.tools.rping;

import static io.verbena.tools.CommandRun.assertFailed;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.tools.BackgroundCommand;
import io.verbena.tools.CommandRun;
import io.verbena.tools.LoopbackAddress;
import io.verbena.tools.rping.RpingConnection.Kind;
import io.verbena.verbs.MemoryRegion;
import io.verbena.verbs.Rdma;
import io.verbena.verbs.attr.Access;
import io.verbena.verbs.cm.ConnectionId;
import io.verbena.verbs.cm.PortSpace;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Peers that break the protocol, and peers that leave.
@Timeout(60)
class RpingWrongPeerTest {
    private static final int PORT = 7174;
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private final String address = LoopbackAddress.any();

    private CommandRun serve(Consumer<RpingConnection> client) throws Exception {
        return serve("30", client);
    }

    /// Runs our server against a client that is not rping.
    private CommandRun serve(String timeout, Consumer<RpingConnection> client) throws Exception {
        try (var server = BackgroundCommand.start(
                        "rping", "-s", "-a", address, "--provider", "soft", "--timeout", timeout);
                ConnectionId id = newId()) {
            server.awaitText("server listens");
            id.resolveAddress(
                    new InetSocketAddress(LoopbackAddress.any(), 0), new InetSocketAddress(address, PORT), PATIENCE);
            id.resolveRoute(PATIENCE);
            try (var connection = new RpingConnection(id, false, PATIENCE)) {
                id.connect(RpingOptions.PARAMETERS);
                client.accept(connection);
                return server.await();
            }
        }
    }

    private CommandRun ping(Consumer<RpingConnection> server) throws Exception {
        return ping("30", server);
    }

    /// Runs our client against a server that is not rping.
    private CommandRun ping(String timeout, Consumer<RpingConnection> server) throws Exception {
        try (ConnectionId listener = newId()) {
            listener.bind(new InetSocketAddress(address, PORT));
            listener.listen(1);
            var client = BackgroundCommand.start(
                    "rping",
                    "-c",
                    "-a",
                    address,
                    "-V",
                    "-C",
                    "3",
                    "--timeout",
                    timeout,
                    "--device",
                    LoopbackAddress.any());
            try (ConnectionId id = listener.awaitRequest(PATIENCE);
                    var connection = new RpingConnection(id, false, PATIENCE)) {
                id.accept(RpingOptions.PARAMETERS);
                server.accept(connection);
                return client.await();
            }
        }
    }

    private static ConnectionId newId() {
        return Rdma.provider("soft").connectionManager().createSynchronousId(PortSpace.TCP);
    }

    private static MemoryRegion memory(RpingConnection connection, Access... access) {
        return connection.id().protectionDomain().allocate(4096, access);
    }

    @Test
    void shouldRefuseAMessageOfOtherLength() throws Exception {
        CommandRun server = serve(client -> {
            MemoryRegion bytes = memory(client, Access.LOCAL_WRITE);
            client.post(client.newRequest(Kind.SEND).send().from(bytes, 0, 5));
        });
        assertFailed(server, "Received bogus data, size 5");
    }

    @Test
    void shouldRefuseAMessageThatIsTooLong() throws Exception {
        CommandRun server = serve(client -> {
            MemoryRegion bytes = memory(client, Access.LOCAL_WRITE);
            client.post(client.newRequest(Kind.SEND).send().from(bytes, 0, 100));
        });
        assertFailed(server, "RECEIVE failed: local length error");
    }

    @Test
    void shouldTellOfAKeyThatDoesNotFit() throws Exception {
        CommandRun server = serve(client -> {
            MemoryRegion secret = memory(client, Access.LOCAL_WRITE); // grants no remote right: its key is 0
            client.post(client.newMessage(0, secret, 64));
        });
        assertFailed(server, "RDMA READ failed: remote access error");
    }

    @Test
    void shouldRefuseABufferLargerThanAnyPing() throws Exception {
        CommandRun server = serve(client -> {
            MemoryRegion open = memory(client, Access.LOCAL_WRITE, Access.REMOTE_READ);
            client.post(client.newMessage(0, open, 65536));
        });
        assertFailed(server, "a buffer of 65536 bytes");
    }

    @Test
    void shouldNoticeThatTheClientLeftInTheMiddle() throws Exception {
        CommandRun server = serve(client -> {
            MemoryRegion open = memory(client, Access.LOCAL_WRITE, Access.REMOTE_READ);
            client.post(client.newMessage(0, open, 64));
            client.await(Kind.RECEIVE, "go ahead");
            client.id().disconnect();
        });
        assertFailed(server, "ping 0: the client disconnected before it was done");
        assertTrue(server.out().contains("server DISCONNECT EVENT..."), server.out());
    }

    @Test
    void shouldNotWaitForEverForASilentClient() throws Exception {
        CommandRun server = serve("2", client -> {});
        assertFailed(server, "no ping within 2 s");
    }

    @Test
    void shouldNameTheByteThatIsWrong() throws Exception {
        CommandRun client = ping(server -> {
            MemoryRegion text = memory(server, Access.LOCAL_WRITE);
            server.await(Kind.RECEIVE, "source");
            server.post(server.newMessage(0, text, 64));
            server.await(Kind.RECEIVE, "sink");
            PingText.fill(text.memory().asSlice(0, 64), 0);
            text.memory().asSlice(40, 1).fill((byte) '!');
            server.post(
                    server.newRequest(Kind.RDMA_WRITE).write(server.announced()).from(text, 0, 64));
            server.post(server.newMessage(0, text, 64));
        });
        assertFailed(client, "data mismatch! ping 0, byte 40 of 64 is 0x21, expected 0x5c");
    }

    @Test
    void shouldNotWaitForEverForASilentServer() throws Exception {
        CommandRun client = ping("2", server -> {});
        assertFailed(client, "ping 0: no answer to the message that describes the source buffer within 2 s");
    }

    @Test
    void shouldNoticeThatTheServerLeft() throws Exception {
        CommandRun client = ping(server -> server.id().disconnect());
        assertFailed(client, "ping 0: the server disconnected before it was done");
    }
}
