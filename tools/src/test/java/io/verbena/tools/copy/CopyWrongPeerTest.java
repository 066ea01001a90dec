package io.verbena.tools.copy;

import static io.verbena.tools.CommandRun.assertFailed;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.tools.BackgroundCommand;
import io.verbena.tools.CommandRun;
import io.verbena.tools.LoopbackAddress;
import io.verbena.tools.program.RawPeer;
import io.verbena.verbs.RdmaException;
import io.verbena.verbs.RemoteBuffer;
import io.verbena.verbs.attr.CompletionOpcode;
import io.verbena.verbs.cm.ConnectionId;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Peers that break the protocol, and peers that leave.
@Timeout(60)
class CopyWrongPeerTest {
    private static final int AT = 4096;

    private final String address = LoopbackAddress.any();

    /// Runs our server against a client that is not copy.
    private CommandRun serve(Consumer<RawPeer> client, String... more) throws Exception {
        List<String> all = new ArrayList<>(List.of("copy", "--device", address, "--once"));
        all.addAll(List.of(more));
        try (var server = BackgroundCommand.start(all.toArray(String[]::new))) {
            server.awaitText("server listens");
            try (var peer = RawPeer.resolve(address, CopyCommand.PORT)) {
                peer.receive(0, BufferAttributes.BYTES);
                peer.connect(CopyConnection.PARAMETERS);
                client.accept(peer);
                return server.await();
            }
        }
    }

    /// Runs our client against a server that is not copy.
    private CommandRun copy(Consumer<RawPeer> server, String... more) throws Exception {
        List<String> all = new ArrayList<>(List.of("copy", address, "Hello", "--device", LoopbackAddress.any()));
        all.addAll(List.of(more));
        try (ConnectionId listener = RawPeer.listen(address, CopyCommand.PORT)) {
            var client = BackgroundCommand.start(all.toArray(String[]::new));
            try (var peer = RawPeer.next(listener)) {
                peer.receive(0, BufferAttributes.BYTES);
                peer.accept(CopyConnection.PARAMETERS);
                server.accept(peer);
                return client.await();
            }
        }
    }

    private static void announce(RawPeer peer, long address, long length, int key) {
        BufferAttributes.write(
                peer.region().memory().asSlice(AT, BufferAttributes.BYTES), new RemoteBuffer(address, length, key));
        peer.send(AT, BufferAttributes.BYTES);
    }

    private static void announce(RawPeer peer, long length) {
        announce(peer, peer.region().address(), length, peer.region().rkey());
    }

    private static RemoteBuffer announced(RawPeer peer) {
        assertTrue(peer.await(CompletionOpcode.RECEIVE).isSuccess());
        return BufferAttributes.read(peer.region().memory());
    }

    @Test
    void shouldRefuseAMessageOfOtherLength() throws Exception {
        assertFailed(serve(client -> client.send(0, 5)), "a message of 5 bytes; buffer attributes have 16");
        assertFailed(copy(server -> server.send(0, 5)), "a message of 5 bytes; buffer attributes have 16");
    }

    @Test
    void shouldRefuseAMessageThatIsTooLong() throws Exception {
        assertFailed(serve(client -> client.send(0, 100)), "attributes failed: local length error");
    }

    @Test
    void shouldRefuseToCopyNothing() throws Exception {
        assertFailed(serve(client -> announce(client, 0)), "announces 0 bytes");
    }

    @Test
    void shouldRefuseFourGigabytes() throws Exception {
        assertFailed(
                serve(client -> announce(client, BufferAttributes.LONGEST)),
                "announces 4294967295 bytes, but --max is 1073741824");
    }

    @Test
    void shouldNotWaitForEverForASilentPeer() throws Exception {
        assertFailed(serve(client -> {}, "--timeout", "2"), "no buffer attributes from the client within 2 s");
        assertFailed(copy(server -> {}, "--timeout", "2"), "no buffer attributes from the server within 2 s");
    }

    @Test
    void shouldNotWaitForEverForAClientThatStays() throws Exception {
        assertFailed(serve(client -> announce(client, 64), "--timeout", "2"), "no disconnect within 2 s");
    }

    @Test
    void shouldNoticeAPeerThatLeavesAtOnce() throws Exception {
        assertFailed(serve(client -> client.id().disconnect()), "disconnected before it sent its buffer attributes");
        assertFailed(
                copy(server -> server.id().disconnect()),
                "the server disconnected before it sent its buffer attributes");
    }

    @Test
    void shouldNoticeWithVerifyThatNotAllArrived() throws Exception {
        CommandRun server = serve(
                client -> {
                    client.region().memory().asSlice(100_000, 64).fill((byte) 'x');
                    announce(
                            client,
                            client.region().address() + 100_000,
                            64,
                            client.region().rkey());
                    RemoteBuffer there = announced(client);
                    client.post(client.newRequest().write(there).from(client.region(), 100_000, 63));
                    assertTrue(client.await(CompletionOpcode.RDMA_WRITE).isSuccess());
                    client.id().disconnect();
                },
                "--verify");
        assertFailed(server, "the copy is wrong: byte 63 of 64 is 0x00, in the client's buffer it was 0x78");
    }

    @Test
    void shouldTellOfAClientsKeyThatOpensNothing() throws Exception {
        CommandRun server = serve(
                client -> announce(
                        client, client.region().address(), 64, client.region().rkey() + 1),
                "--verify");
        assertFailed(server, "RDMA READ of the peer's buffer failed: remote access error");
    }

    @Test
    void shouldTellOfAServersKeyThatOpensNothing() throws Exception {
        CommandRun client = copy(server -> {
            announced(server);
            announce(server, server.region().address(), 5, server.region().rkey() + 1);
        });
        assertFailed(client, "RDMA WRITE to the peer's buffer failed: remote access error");
    }

    @Test
    void shouldTellOfAnAddressOutsideTheServersMemory() throws Exception {
        CommandRun client = copy(server -> {
            announced(server);
            announce(server, server.region().address() - 1, 5, server.region().rkey());
        });
        assertFailed(client, "RDMA WRITE to the peer's buffer failed: remote access error");
    }

    @Test
    void shouldRefuseAServerWithAnotherLength() throws Exception {
        CommandRun client = copy(server -> {
            announced(server);
            announce(server, 4);
        });
        assertFailed(client, "the server has room for 4 bytes, but 5 were announced");
    }

    @Test
    void shouldRefuseAClientOfAnotherProgram() throws Exception {
        try (var server = BackgroundCommand.start("copy", "--device", address, "--once");
                var peer = RawPeer.resolve(address, CopyCommand.PORT)) {
            server.awaitText("server listens");
            assertThrows(
                    RdmaException.class,
                    () -> peer.connect(CopyConnection.PARAMETERS.withPrivateData(new byte[] {0, 0, 1})));
            assertFailed(server.await(), "wrong program?");
        }
    }
}
