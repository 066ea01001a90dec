package io.verbena.tools.exchange;

import static io.verbena.tools.CommandRun.assertFailed;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.tools.BackgroundCommand;
import io.verbena.tools.CommandRun;
import io.verbena.tools.LoopbackAddress;
import io.verbena.tools.program.RawPeer;
import io.verbena.verbs.RemoteBuffer;
import io.verbena.verbs.attr.CompletionOpcode;
import io.verbena.verbs.cm.ConnectionId;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Peers that break the protocol, and peers that leave. What both sides do alike is tested on the server.
@Timeout(60)
class ExchangeWrongPeerTest {
    /// A timeout for tests in which it must expire, and one that must not, also on a busy machine.
    private static final String SHORT = "2";

    private static final String LONG = "30";

    private static final int SIZE = 64;
    private static final int AT = 4096;
    private static final int DATA = 8192;

    private final String address = LoopbackAddress.any();

    /// Runs our server against a client that is not exchange.
    private CommandRun serve(ExchangeMode mode, Consumer<RawPeer> client) throws Exception {
        return serve(mode, LONG, client);
    }

    private CommandRun serve(ExchangeMode mode, String timeout, Consumer<RawPeer> client) throws Exception {
        try (var server = BackgroundCommand.start(
                "exchange", "--device", address, "--once", "--verify", "--timeout", timeout, "--text", "hello")) {
            server.awaitText("server listens");
            try (var peer = RawPeer.resolve(address, ExchangeCommand.PORT)) {
                postReceives(peer);
                peer.connect(ExchangeRun.PARAMETERS.withPrivateData(new ExchangeTerms(mode, SIZE).encode()));
                client.accept(peer);
                return server.await();
            }
        }
    }

    /// Runs our client against a server that is not exchange.
    private CommandRun exchange(String timeout, Consumer<RawPeer> server) throws Exception {
        try (ConnectionId listener = RawPeer.listen(address, ExchangeCommand.PORT)) {
            var client = BackgroundCommand.start(
                    "exchange", address, "--timeout", timeout, "--device", LoopbackAddress.any());
            try (var peer = RawPeer.next(listener)) {
                postReceives(peer);
                peer.accept(ExchangeRun.PARAMETERS);
                server.accept(peer);
                return client.await();
            }
        }
    }

    private static void postReceives(RawPeer peer) {
        peer.receive(0, ExchangeMessage.BYTES);
        peer.receive(ExchangeMessage.BYTES, ExchangeMessage.BYTES);
    }

    private static void send(RawPeer peer, ExchangeMessage message) {
        message.write(peer.region().memory().asSlice(AT, ExchangeMessage.BYTES));
        peer.send(AT, ExchangeMessage.BYTES);
    }

    private static RemoteBuffer data(RawPeer peer) {
        return peer.region().remote().slice(DATA, SIZE);
    }

    private static ExchangeMessage key(RawPeer peer) {
        return ExchangeMessage.mr(
                data(peer), ExchangeSide.checksum(peer.region().memory().asSlice(DATA, SIZE)));
    }

    private static ExchangeMessage received(RawPeer peer) {
        assertTrue(peer.await(CompletionOpcode.RECEIVE).isSuccess());
        return ExchangeMessage.read(peer.region().memory());
    }

    @Test
    void shouldRefuseAMessageOfOtherLength() throws Exception {
        assertFailed(serve(ExchangeMode.WRITE, client -> client.send(0, 5)), "a message of 5 bytes");
    }

    @Test
    void shouldRefuseAMessageThatIsTooLong() throws Exception {
        assertFailed(
                serve(ExchangeMode.WRITE, client -> client.send(0, 100)),
                "RECEIVE of the peer's key failed: local length error");
    }

    @Test
    void shouldRefuseDoneBeforeAnythingIsDone() throws Exception {
        assertFailed(
                serve(ExchangeMode.WRITE, client -> send(client, ExchangeMessage.done())),
                "a message of type 1 where one of type 0 was due");
    }

    @Test
    void shouldRefuseABufferOfAnotherLength() throws Exception {
        CommandRun server = serve(
                ExchangeMode.WRITE,
                client -> send(client, ExchangeMessage.mr(client.region().remote(), 0)));
        assertFailed(server, "the peer's buffer has 1048576 bytes, agreed were 64");
    }

    @ParameterizedTest
    @EnumSource
    void shouldTellOfAKeyThatOpensNothing(ExchangeMode mode) throws Exception {
        CommandRun server = serve(mode, client -> {
            RemoteBuffer right = data(client);
            send(client, ExchangeMessage.mr(new RemoteBuffer(right.address(), SIZE, right.rkey() + 1), 0));
        });
        assertFailed(server, "RDMA operation on the peer's memory failed: remote access error");
    }

    @ParameterizedTest
    @EnumSource
    void shouldTellOfAnAddressOutsideOfMemory(ExchangeMode mode) throws Exception {
        CommandRun server = serve(mode, client -> {
            RemoteBuffer all = client.region().remote();
            send(
                    client,
                    ExchangeMessage.mr(new RemoteBuffer(all.address() + all.length() - SIZE + 1, SIZE, all.rkey()), 0));
        });
        assertFailed(server, "RDMA operation on the peer's memory failed: remote access error");
    }

    @Test
    void shouldNoticeAWrongByteThatWasWritten() throws Exception {
        CommandRun server = serve(ExchangeMode.WRITE, client -> {
            send(client, key(client));
            RemoteBuffer inbox = received(client).buffer();
            client.await(CompletionOpcode.SEND); // of the key: its buffer is used again
            client.region().memory().asSlice(DATA + 7, 1).fill((byte) 1);
            client.post(client.newRequest().write(inbox).from(client.region(), DATA, SIZE));
            send(client, ExchangeMessage.done());
        });
        assertFailed(server, "the data from the peer is wrong: the CRC-32 of 64 bytes is");
    }

    @Test
    void shouldNoticeAWrongByteThatWasRead() throws Exception {
        CommandRun server = serve(ExchangeMode.READ, client -> {
            ExchangeMessage right = key(client);
            send(client, ExchangeMessage.mr(right.buffer(), right.checksum() ^ 1));
            received(client);
            client.await(CompletionOpcode.SEND);
            send(client, ExchangeMessage.done());
        });
        assertFailed(server, "the data from the peer is wrong");
    }

    @Test
    void shouldLetThePeerTouchNothingButTheOfferedBuffer() throws Exception {
        CommandRun server = serve(ExchangeMode.READ, client -> {
            send(client, key(client));
            RemoteBuffer outbox = received(client).buffer();
            client.post(client.newRequest().write(outbox).from(client.region(), DATA, SIZE));
            assertTrue(!client.await(CompletionOpcode.RDMA_WRITE).isSuccess());
        });
        assertEquals(1, server.exitCode(), server.out() + server.err());
    }

    @Test
    void shouldNotWaitForEverForASilentPeer() throws Exception {
        assertFailed(serve(ExchangeMode.WRITE, SHORT, client -> {}), "no key from the peer within 2 s");
        assertFailed(
                serve(ExchangeMode.WRITE, SHORT, client -> send(client, key(client))),
                "no DONE from the peer within 2 s");
        assertFailed(exchange(SHORT, server -> {}), "no key from the peer within 2 s");
    }

    @Test
    void shouldNoticeAPeerThatLeaves() throws Exception {
        assertFailed(
                serve(ExchangeMode.READ, client -> client.id().disconnect()),
                "the peer disconnected before the exchange was done");
        assertFailed(
                exchange(LONG, server -> server.id().disconnect()),
                "the peer disconnected before the exchange was done");
    }
}
