package io.verbena.endpoint;

import static io.verbena.endpoint.EndpointFixture.spinUntil;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.junit.LoopbackDevices;
import io.verbena.junit.RdmaTest;
import io.verbena.verbs.Errno;
import io.verbena.verbs.MemoryRegion;
import io.verbena.verbs.RdmaException;
import io.verbena.verbs.RemoteBuffer;
import io.verbena.verbs.attr.Access;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// A peer that knows nothing but the bytes of `docs/endpoint-protocol.md` talks to a server.
@Timeout(120)
@RdmaTest
class VerbsPeerTest {
    private static final Duration LONG = Duration.ofSeconds(60);
    private static final int CREDITS_AT = 2;
    private static final int NUMBER_AT = 8;
    private static final int PAYLOAD_AT = 16;
    private static final int HANDSHAKE_CREDITS_AT = 6;

    private List<ProtocolVector> vectors;
    private String address;
    private EndpointServer server;
    private VerbsPeer peer;
    private Connection served;

    @BeforeEach
    void connect(LoopbackDevices devices) throws Exception {
        vectors = ProtocolVector.all();
        address = devices.address().getHostAddress();
        server = Endpoint.listen(address, 0);
        peer = new VerbsPeer(address, server.port(), vector("handshake {"));
        served = server.accept(LONG);
    }

    /// In good order: a server is told of messages that a peer may not have got.
    @AfterEach
    void close() {
        if (server.connections() > 0) {
            peer.send(vector("message {kind=11, flags=0"));
        }
        server.close();
        peer.close();
    }

    /// The bytes of the vector whose description begins so.
    private byte[] vector(String start) {
        return vectors.stream()
                .filter(each -> each.toString().startsWith(start))
                .findFirst()
                .orElseThrow(() -> new AssertionError("no vector " + start))
                .bytes()
                .clone();
    }

    private static byte[] withoutCredits(byte[] message) {
        byte[] same = message.clone();
        same[CREDITS_AT] = 0;
        same[CREDITS_AT + 1] = 0;
        return same;
    }

    private byte[] receive() {
        return withoutCredits(peer.receive());
    }

    @Test
    void shouldExchangeMessagesAndCalls() {
        assertArrayEquals(vector("handshake {"), Arrays.copyOf(peer.handshakeOfServer(), 16));
        byte[] hello = vector("message {kind=1, flags=0, credits=0");
        peer.send(hello);
        try (Message message = served.receive(LONG)) {
            assertEquals("hello", message.text());
            served.send(message);
            assertArrayEquals(hello, peer.receive());
        }
        peer.send(vector("message {kind=2"));
        try (Message request = served.receive(LONG)) {
            assertTrue(request.isRequest());
            assertEquals("what?", request.text());
            request.reply("that");
        }
        assertArrayEquals(vector("message {kind=3"), peer.receive()); // with the credit of the first message
    }

    /// A peer answers one question after the other, and this one answers late.
    @Test
    void shouldInterruptAThreadWhoseQuestionWaitsForThatOfAnother() throws Exception {
        CompletableFuture<Errno> first = ask("first", false);
        assertEquals(6, peer.receive()[0]);
        assertEquals(Errno.EINTR, ask("second", true).get(10, TimeUnit.SECONDS));
        peer.send(vector("message {kind=8"));
        assertEquals(Errno.ENOENT, first.get(LONG.toSeconds(), TimeUnit.SECONDS));
    }

    /// How another thread was refused.
    private CompletableFuture<Errno> ask(String name, boolean isInterrupted) {
        CompletableFuture<Errno> refused = new CompletableFuture<>();
        Thread.ofPlatform().start(() -> {
            if (isInterrupted) {
                Thread.currentThread().interrupt();
            }
            refused.complete(
                    assertThrows(RdmaException.class, () -> served.remote(name)).errno());
        });
        return refused;
    }

    /// The peer has one credit, and its first answer takes it.
    @Test
    void shouldDropAnswersThatWaitForACreditOfAPeerThatSendsNoMore() throws Exception {
        byte[] handshake = vector("handshake {");
        ByteBuffer.wrap(handshake).putShort(HANDSHAKE_CREDITS_AT, (short) 1);
        try (VerbsPeer poor = new VerbsPeer(address, server.port(), handshake);
                Connection toPoor = server.accept(LONG)) {
            poor.send(vector("message {kind=2"));
            poor.send(vector("message {kind=2"));
            try (Message first = toPoor.receive(LONG);
                    Message second = toPoor.receive(LONG)) {
                first.reply("there is a credit");
                CompletableFuture<Void> replied = CompletableFuture.runAsync(() -> second.reply("there is none"));
                spinUntil("waits for a credit", () -> toPoor.statistics().waitsForPeer() > 0);
                poor.send(vector("message {kind=11, flags=0"));
                replied.get(LONG.toSeconds(), TimeUnit.SECONDS);
            }
        }
    }

    @Test
    void shouldReturnCredits() {
        byte[] empty = vector("message {kind=1, flags=0, credits=3");
        for (int n = 0; n < 64; n++) {
            peer.send(withoutCredits(empty));
            served.receive(LONG).close();
        }
        assertArrayEquals(vector("message {kind=4"), peer.receive());
        assertArrayEquals(vector("message {kind=4"), peer.receive());
    }

    @Test
    void shouldReadLongMessagesOfEachOther() throws IOException {
        byte[] bytes = new byte[10_000];
        new Random(7).nextBytes(bytes);
        try (MemoryRegion region = peer.allocate(bytes.length)) {
            MemorySegment.copy(bytes, 0, region.memory(), ValueLayout.JAVA_BYTE, 0, bytes.length);
            byte[] announcement = vector("announcement {kind=1");
            ByteBuffer.wrap(announcement)
                    .position(PAYLOAD_AT + Long.BYTES)
                    .putLong(region.address())
                    .putLong(bytes.length)
                    .putInt(region.rkey());
            peer.send(announcement);
            try (Message message = served.receive(LONG)) {
                assertArrayEquals(bytes, message.bytes());
            }
            assertArrayEquals(vector("message {kind=5, flags=0"), receive());
        }
        Pending sent = served.sendAsync(bytes);
        byte[] announced = receive();
        ByteBuffer where = ByteBuffer.wrap(announced).position(PAYLOAD_AT);
        assertEquals(1, where.getLong());
        RemoteBuffer memory = new RemoteBuffer(where.getLong(), where.getLong(), where.getInt());
        assertEquals(bytes.length, memory.length());
        assertArrayEquals(bytes, peer.read(memory));
        peer.send(vector("message {kind=5, flags=0"));
        sent.await(LONG);
    }

    @Test
    void shouldFindExportsAndConfirmTheirEnd() throws Exception {
        try (Arena arena = Arena.ofShared()) {
            peer.send(vector("message {kind=6"));
            assertArrayEquals(vector("message {kind=8"), receive());
            MemorySegment table = arena.allocate(4096, 8);
            table.setString(0, "a row");
            Export export = server.export("table", table, Access.REMOTE_READ, Access.REMOTE_WRITE);
            peer.send(vector("message {kind=6"));
            byte[] found = receive();
            byte[] shown = vector("found {");
            assertArrayEquals(Arrays.copyOf(shown, PAYLOAD_AT), Arrays.copyOf(found, PAYLOAD_AT));
            RemoteBuffer remote = RemoteBuffer.decode(Arrays.copyOfRange(found, PAYLOAD_AT, found.length));
            assertEquals(4096, remote.length());
            ByteBuffer rest = ByteBuffer.wrap(found).position(PAYLOAD_AT + RemoteBuffer.BYTES);
            assertEquals(6, rest.getInt());
            long number = rest.getLong();
            assertArrayEquals(table.asSlice(0, 16).toArray(ValueLayout.JAVA_BYTE), peer.read(remote.slice(0, 16)));

            CompletableFuture<Void> closed = CompletableFuture.runAsync(export::close);
            byte[] revoke = vector("message {kind=9");
            ByteBuffer.wrap(revoke).putLong(NUMBER_AT, number);
            assertArrayEquals(revoke, receive());
            byte[] revoked = vector("message {kind=10");
            ByteBuffer.wrap(revoked).putLong(NUMBER_AT, number);
            peer.send(revoked);
            closed.get(LONG.toSeconds(), TimeUnit.SECONDS);
        }
    }

    @Test
    void shouldEndTheConnectionInGoodOrder() throws Exception {
        peer.send(vector("message {kind=11, flags=0"));
        assertNull(served.receive(LONG));
        CompletableFuture<Void> closed = CompletableFuture.runAsync(served::close);
        byte[] end = vector("message {kind=11, flags=8");
        end[1] |= MessageHeader.HAS_ALL;
        ByteBuffer.wrap(end).putLong(NUMBER_AT, 0);
        assertArrayEquals(end, peer.receive());
        closed.get(LONG.toSeconds(), TimeUnit.SECONDS);
        assertEquals(0, server.connections());
    }

    @Test
    void shouldFailCallsOfAPeerThatSendsNoMoreWhileTheConnectionStands() {
        Pending call = served.callAsync(new byte[1]);
        receive();
        peer.send(vector("message {kind=11, flags=0"));
        RdmaException failed = assertThrows(RdmaException.class, () -> call.await(LONG));
        assertEquals(Errno.ECONNRESET, failed.errno(), failed::getMessage);
    }

    @Test
    void shouldRefuseCallsOncePeerSendsNoMoreAndMessagesOnceAllOfItWasReceived() {
        peer.send(vector("message {kind=1,"));
        peer.send(vector("message {kind=11, flags=0"));
        try (Message message = served.receive(LONG)) {
            assertThrows(RdmaException.class, () -> served.callAsync(new byte[1]));
            RdmaException refused = assertThrows(RdmaException.class, () -> {
                for (int i = 0; i < 16; i++) {
                    served.send(message);
                }
            });
            assertEquals(Errno.ECONNRESET, refused.errno(), refused::getMessage);
        }
    }

    @Test
    void shouldReportMessagesThatThePeerCountsAsNotTaken() {
        for (int i = 0; i < 5; i++) {
            served.send("message " + i);
            receive();
        }
        peer.send(vector("message {kind=11, flags=8")); // it took three
        assertNull(served.receive(LONG));
        RdmaException lost = assertThrows(RdmaException.class, served::close);
        assertEquals(Errno.ECONNRESET, lost.errno(), lost::getMessage);
        assertTrue(lost.getMessage().contains("did not receive the last 2 messages"), lost::getMessage);
    }

    @Test
    void shouldReportALongMessageThatThePeerLeftWhenItClosedFirst() {
        served.send(new byte[10_000]);
        receive();
        CompletableFuture<Void> closed = CompletableFuture.runAsync(served::close);
        spinUntil("closes, and waits until the message was read", () -> isClosing(served));
        byte[] end = vector("message {kind=11, flags=8");
        ByteBuffer.wrap(end).putLong(NUMBER_AT, 0);
        peer.send(end);
        Throwable lost = assertThrows(ExecutionException.class, () -> closed.get(LONG.toSeconds(), TimeUnit.SECONDS))
                .getCause();
        assertTrue(lost.getMessage().contains("did not receive the last message"), lost::getMessage);
    }

    private static boolean isClosing(Connection connection) {
        try {
            connection.allocate(1).close();
            return false;
        } catch (RdmaException e) {
            return e.errno() == Errno.EBADF;
        }
    }

    /// A handler may use other connections, too. That one of them is lost is a failure for its own client.
    @Test
    void shouldTellThePeerThatAHandlerFailedForTheSakeOfAnotherConnection() {
        Thread.ofVirtual()
                .start(() -> server.serve(client -> {
                    client.receive(LONG); // null: the peer has ended
                    throw new RdmaException("connection to 192.0.2.1:7471", Errno.ECONNRESET, "it is lost");
                }));
        try (VerbsPeer other = new VerbsPeer(address, server.port(), vector("handshake {"))) {
            other.send(vector("message {kind=11, flags=0"));
            assertEquals(MessageHeader.FAILED, other.receive()[1] & MessageHeader.FAILED);
        }
    }

    @Test
    void shouldTellThatTheProgramOfThePeerFailed() {
        served.send("which it takes");
        receive();
        peer.send(vector("message {kind=1,"));
        peer.send(vector("message {kind=11, flags=24"));
        served.receive(LONG).close();
        RdmaException failed = assertThrows(RdmaException.class, () -> served.receive(LONG));
        assertEquals(Errno.ECONNRESET, failed.errno(), failed::getMessage);
        assertTrue(failed.getMessage().contains("its program failed"), failed::getMessage);
    }
}
