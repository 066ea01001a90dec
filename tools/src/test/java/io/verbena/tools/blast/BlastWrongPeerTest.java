package io.verbena.tools.blast;

import static io.verbena.tools.CommandRun.assertFailed;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.tools.BackgroundCommand;
import io.verbena.tools.CommandRun;
import io.verbena.tools.LoopbackAddress;
import io.verbena.tools.program.RawPeer;
import io.verbena.verbs.attr.CompletionOpcode;
import io.verbena.verbs.cm.ConnectionId;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Peers that break the protocol, and peers that leave.
@Timeout(60)
class BlastWrongPeerTest {
    private static final ValueLayout.OfLong U64 = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);
    private static final BlastParameters FIVE = new BlastParameters(5, 100, 3);
    private static final int DATA = 4096;
    /// A timeout for tests in which it must expire, and one that must not, also on a busy machine.
    private static final String SHORT = "2";

    private static final String LONG = "30";

    private final String address = LoopbackAddress.any();

    /// Something else than the client of blast, against our server.
    private CommandRun serve(BlastParameters parameters, Consumer<RawPeer> client) throws Exception {
        return serve(parameters, LONG, client);
    }

    private CommandRun serve(BlastParameters parameters, String timeout, Consumer<RawPeer> client) throws Exception {
        try (var server =
                BackgroundCommand.start("blast", "--device", address, "--once", "--verify", "--timeout", timeout)) {
            server.awaitText("server listens");
            try (var peer = RawPeer.resolve(address, BlastCommand.PORT)) {
                for (int i = 0; i < Acknowledgement.BUFFERS; i++) {
                    peer.receive((long) i * Acknowledgement.BYTES, Acknowledgement.BYTES);
                }
                for (int buffer = 0; buffer < parameters.buffers(); buffer++) {
                    BlastPattern.fill(peer.region().memory().asSlice(DATA), parameters.size(), buffer);
                }
                peer.connect(BlastQueuePair.PARAMETERS.withPrivateData(parameters.encode()));
                client.accept(peer);
                return server.await();
            }
        }
    }

    /// Our client, against something else than the server of blast.
    private CommandRun blast(Consumer<RawPeer> server) throws Exception {
        return blast(LONG, server);
    }

    private CommandRun blast(String timeout, Consumer<RawPeer> server) throws Exception {
        try (ConnectionId listener = RawPeer.listen(address, BlastCommand.PORT)) {
            var client = BackgroundCommand.start(
                    "blast", address, "-c5", "-s100", "-b3", "--timeout", timeout, "--device", LoopbackAddress.any());
            try (var peer = RawPeer.next(listener)) {
                for (int i = 0; i < FIVE.buffers(); i++) {
                    peer.receive(DATA + i * FIVE.size(), FIVE.size());
                }
                peer.accept(BlastQueuePair.PARAMETERS);
                server.accept(peer);
                return client.await();
            }
        }
    }

    private static void acknowledge(RawPeer peer, long messages) {
        peer.region().memory().set(U64, 0, messages);
        peer.send(0, Acknowledgement.BYTES);
    }

    @Test
    void shouldStopAtAWrongByte() throws Exception {
        CommandRun server = serve(FIVE, client -> {
            client.send(DATA, 100);
            client.region().memory().set(ValueLayout.JAVA_BYTE, DATA + 100 + 42, (byte) 0);
            client.send(DATA + 100, 100);
        });
        assertFailed(server, "data mismatch: message 1, byte 42 of 100 is 0x00, expected 0x4f");
        assertTrue(server.out().contains("of 5 messages of 100 bytes"), server.out());
    }

    @Test
    void shouldStopAtAMessageOfOtherLength() throws Exception {
        assertFailed(serve(FIVE, client -> client.send(DATA, 99)), "message 0 has 99 bytes, agreed were 100");
        assertFailed(serve(FIVE, client -> client.send(DATA, 101)), "RECEIVE of a message failed: local length error");
    }

    /// The C program does so when it has more buffers than messages.
    @Test
    void shouldTakeAsManyMessagesAsThereAreBuffers() throws Exception {
        CommandRun server = serve(new BlastParameters(2, 100, 5), client -> {
            for (int i = 0; i < 5; i++) {
                client.send(DATA + 100 * i, 100);
            }
            long acknowledged = 0;
            for (int slot = 0; acknowledged < 2; slot++) {
                assertTrue(client.await(CompletionOpcode.RECEIVE).isSuccess());
                acknowledged += client.region().memory().get(U64, (long) slot * Acknowledgement.BYTES);
            }
            client.id().disconnect();
        });
        assertEquals(0, server.exitCode(), server.out() + server.err());
    }

    @Test
    void shouldAcknowledgeInBigEndianWhenAThirdIsDue() throws Exception {
        CommandRun server = serve(new BlastParameters(6, 100, 6), client -> {
            client.send(DATA, 100);
            client.send(DATA + 100, 100);
            assertEquals(8, client.await(CompletionOpcode.RECEIVE).byteLength());
            assertEquals(2, client.region().memory().get(U64, 0));
            client.id().disconnect();
        });
        assertFailed(server, "the client disconnected after 2 of 6 messages");
    }

    @ParameterizedTest
    @ValueSource(longs = {4, -1, Long.MIN_VALUE, 1L << 56})
    void shouldRefuseMoreCreditThanThereIs(long messages) throws Exception {
        CommandRun client = blast(server -> {
            server.await(CompletionOpcode.RECEIVE);
            acknowledge(server, messages);
        });
        assertFailed(client, "the server acknowledges " + Long.toUnsignedString(messages) + " messages, where 3 are");
    }

    @Test
    void shouldRefuseAnAcknowledgementOfOtherLength() throws Exception {
        assertFailed(blast(server -> server.send(0, 4)), "a message of 4 bytes; acknowledgements have 8");
    }

    @Test
    void shouldSendNoMoreThanThereIsCreditFor() throws Exception {
        CommandRun client = blast(SHORT, server -> {
            for (int i = 0; i < 3; i++) {
                assertEquals(100, server.await(CompletionOpcode.RECEIVE).byteLength());
            }
        });
        assertFailed(client, "no acknowledgement from the server within 2 s");
        assertTrue(client.out().contains("3 of 5 messages of 100 bytes, 0 acknowledged"), client.out());
    }

    @Test
    void shouldNotWaitForEverForASilentClient() throws Exception {
        assertFailed(serve(FIVE, SHORT, client -> {}), "no message from the client within 2 s");
    }

    @Test
    void shouldNoticeAPeerThatLeaves() throws Exception {
        assertFailed(serve(FIVE, client -> client.id().disconnect()), "the client disconnected after 0 of 5 messages");
        assertFailed(blast(server -> server.id().disconnect()), "the server disconnected after 0 of 5 messages");
    }
}
