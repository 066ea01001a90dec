package io.verbena.endpoint;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.verbs.Errno;
import io.verbena.verbs.MemoryRegion;
import io.verbena.verbs.QueuePairOptions;
import io.verbena.verbs.RdmaException;
import io.verbena.verbs.attr.Access;
import io.verbena.verbs.cm.ConnectionId;
import io.verbena.verbs.cm.ConnectionParameters;
import io.verbena.verbs.cm.PortSpace;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// What connections promise, on every path and in the simulated network.
@Timeout(120)
abstract class EndpointContract {
    static final Duration LONG = Duration.ofSeconds(60);
    private static final Duration SHORT = Duration.ofMillis(200);

    EndpointOptions serverOptions = EndpointOptions.defaults();
    EndpointOptions clientOptions = EndpointOptions.defaults();
    String address;
    private EndpointServer server;

    @AfterEach
    void closeServer() {
        if (server != null) {
            server.close();
        }
    }

    private void serve(Consumer<Connection> handler) {
        server = Endpoint.listen(address, 0, serverOptions);
        start(Thread.ofPlatform(), () -> server.serve(handler));
    }

    private CompletableFuture<Thread> start(Thread.Builder builder, Runnable task) {
        CompletableFuture<Thread> thread = new CompletableFuture<>();
        clientOptions.threads().start(builder, () -> {
            thread.complete(Thread.currentThread());
            task.run();
        });
        return thread;
    }

    /// The two ends of a connection.
    private record Ends(Connection client, Connection served, EndpointOptions options) implements AutoCloseable {
        @Override
        public void close() {
            CompletableFuture<Void> other = new CompletableFuture<>();
            options.threads().start(Thread.ofPlatform(), () -> {
                try {
                    served.close();
                    other.complete(null);
                } catch (RuntimeException e) {
                    other.completeExceptionally(e);
                }
            });
            client.close();
            other.join();
        }
    }

    private Ends connectBoth() throws Exception {
        server = Endpoint.listen(address, 0, serverOptions);
        CompletableFuture<Connection> served = new CompletableFuture<>();
        start(Thread.ofPlatform(), () -> served.complete(server.accept(LONG)));
        Connection client = connect();
        return new Ends(client, served.get(LONG.toSeconds(), TimeUnit.SECONDS), clientOptions);
    }

    private Connection connect() {
        return Endpoint.connect(address, server.port(), clientOptions);
    }

    private static void echo(Connection connection) {
        for (Message message : connection) {
            if (message.isRequest()) {
                message.reply(message.memory());
            } else {
                connection.send(message);
            }
        }
    }

    private static byte[] random(Random random, int length) {
        byte[] bytes = new byte[length];
        random.nextBytes(bytes);
        return bytes;
    }

    private static RdmaException refused(Errno errno, Runnable call) {
        RdmaException thrown = assertThrows(RdmaException.class, call::run);
        assertEquals(errno, thrown.errno(), thrown::getMessage);
        return thrown;
    }

    // ---- messages ----

    @Test
    void shouldReturnMessagesOfAnyLength() {
        serve(EndpointContract::echo);
        try (Connection connection = connect()) {
            Random random = new Random(1);
            for (int length : new int[] {0, 1, 64, 240, 241, 4080, 4081, 65_536, 65_537, 1_000_000}) {
                byte[] bytes = random(random, length);
                connection.send(bytes);
                try (Message answer = connection.receive(LONG)) {
                    assertArrayEquals(bytes, answer.bytes(), () -> length + " bytes");
                }
            }
            assertEquals(10, connection.statistics().messagesSent());
            assertEquals(10, connection.statistics().messagesReceived());
            assertEquals(4, connection.statistics().longMessagesReceived());
        }
    }

    @Test
    void shouldKeepTheOrderOfShortAndLongMessages() throws Exception {
        try (Ends ends = connectBoth()) {
            Random random = new Random(2);
            List<byte[]> sent = new ArrayList<>();
            for (int i = 0; i < 200; i++) {
                sent.add(random(random, random.nextInt(10) == 0 ? 10_000 + i : i));
            }
            Thread sender = start(Thread.ofVirtual(), () -> sent.forEach(ends.client::send))
                    .join();
            for (byte[] expected : sent) {
                try (Message message = ends.served.receive(LONG)) {
                    assertArrayEquals(expected, message.bytes());
                }
            }
            assertTrue(sender.join(LONG));
        }
    }

    @Test
    void shouldServeManyClientsAtOnce() throws Exception {
        serve(EndpointContract::echo);
        List<CompletableFuture<Void>> clients = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            int number = i;
            CompletableFuture<Void> done = new CompletableFuture<>();
            Thread.Builder builder = i % 2 == 0 ? Thread.ofVirtual() : Thread.ofPlatform();
            start(builder, () -> {
                try (Connection connection = connect()) {
                    for (int m = 0; m < 20; m++) {
                        connection.send("client " + number + ", message " + m);
                        try (Message answer = connection.receive(LONG)) {
                            assertEquals("client " + number + ", message " + m, answer.text());
                        }
                    }
                    done.complete(null);
                } catch (Throwable e) {
                    done.completeExceptionally(e);
                }
            });
            clients.add(done);
        }
        for (CompletableFuture<Void> client : clients) {
            client.get(LONG.toSeconds(), TimeUnit.SECONDS);
        }
    }

    @Test
    void shouldWaitForAPeerThatIsBehindAndGiveUpInTime() throws Exception {
        clientOptions = clientOptions.timeout(SHORT);
        serverOptions = serverOptions.credits(4);
        try (Ends ends = connectBoth()) {
            int[] sent = new int[1];
            RdmaException late = refused(Errno.ETIMEDOUT, () -> {
                for (int i = 0; i < 1000; i++) {
                    ends.client.send("message " + i);
                    sent[0]++;
                }
            });
            assertTrue(late.getMessage().contains("did not answer within"), late::getMessage);
            assertEquals(4, sent[0]);
            assertFalse(ends.client.trySend(MemorySegment.ofArray(new byte[1])));
            for (int i = 0; i < 4; i++) {
                try (Message message = ends.served.receive(LONG)) {
                    assertEquals("message " + i, message.text());
                }
            }
            ends.client.send("again");
            try (Message message = ends.served.receive(LONG)) {
                assertEquals("again", message.text());
            }
        }
    }

    @Test
    void shouldLetMessagesThatAreHeldTakeCredits() throws Exception {
        serverOptions = serverOptions.credits(2);
        clientOptions = clientOptions.timeout(SHORT);
        try (Ends ends = connectBoth()) {
            ends.client.send("one");
            ends.client.send("two");
            Message one = ends.served.receive(LONG);
            Message two = ends.served.receive(LONG);
            refused(Errno.ETIMEDOUT, () -> ends.client.send("three"));
            assertEquals("one", one.text());
            one.close();
            two.close();
            assertThrows(IllegalStateException.class, one::text);
            ends.client.send("three");
            try (Message three = ends.served.receive(LONG)) {
                assertEquals("three", three.text());
            }
        }
    }

    @Test
    void shouldReadLongMessagesOnlyWhenTheProgramAsksForThem() throws Exception {
        clientOptions = clientOptions.timeout(SHORT);
        try (Ends ends = connectBoth()) {
            byte[] bytes = random(new Random(3), 50_000);
            for (int i = 0; i < LongMessages.MOST_ANNOUNCED; i++) {
                ends.client.send(bytes);
            }
            refused(Errno.ETIMEDOUT, () -> ends.client.send(bytes));
            for (int i = 0; i < LongMessages.MOST_ANNOUNCED; i++) {
                try (Message message = ends.served.receive(LONG)) {
                    assertArrayEquals(bytes, message.bytes());
                }
            }
        }
    }

    @Test
    void shouldSendFromRegisteredMemoryWithoutACopy() throws Exception {
        try (Ends ends = connectBoth();
                MemoryRegion region = ends.client.allocate(100_000)) {
            byte[] bytes = random(new Random(4), 100_000);
            MemorySegment.copy(bytes, 0, region.memory(), ValueLayout.JAVA_BYTE, 0, bytes.length);
            Pending sent = ends.client.sendAsync(region, 0, bytes.length);
            assertFalse(sent.isDone());
            try (Message message = ends.served.receive(LONG)) {
                assertArrayEquals(bytes, message.bytes());
            }
            sent.await(LONG);
        }
    }

    @Test
    void shouldRefuseMessagesThatAreTooLong() throws Exception {
        serverOptions = serverOptions.mostMessageBytes(50_000);
        try (Ends ends = connectBoth()) {
            Pending sent = ends.client.sendAsync(new byte[50_001]);
            RdmaException here = refused(Errno.EMSGSIZE, () -> ends.served.receive(LONG));
            assertTrue(here.getMessage().contains("mostMessageBytes"), here::getMessage);
            RdmaException there = refused(Errno.EMSGSIZE, () -> sent.await(LONG));
            assertTrue(there.getMessage().contains("mostMessageBytes"), there::getMessage);
            ends.client.send("short");
            try (Message message = ends.served.receive(LONG)) {
                assertEquals("short", message.text());
            }
        }
    }

    @Test
    void shouldReportTheArrivalOfMessages() throws Exception {
        try (Ends ends = connectBoth()) {
            Pending first = ends.client.sendAsync(new byte[10]);
            first.await(LONG);
            Pending second = ends.client.sendAsync(new byte[1000]);
            CompletableFuture<Long> stage = second.toCompletionStage().toCompletableFuture();
            stage.get(LONG.toSeconds(), TimeUnit.SECONDS);
            for (int i = 0; i < 2; i++) {
                ends.served.receive(LONG).close();
            }
        }
    }

    // ---- calls ----

    @Test
    void shouldAnswerCallsWhileOthersAreUnderWay() {
        serve(EndpointContract::echo);
        try (Connection connection = connect()) {
            List<Pending> calls = new ArrayList<>();
            for (int i = 0; i < 500; i++) {
                calls.add(connection.callAsync(("call " + i).getBytes()));
            }
            for (int i = 0; i < 500; i++) {
                calls.get(i).await(LONG);
                try (Message reply = calls.get(i).reply()) {
                    assertEquals("call " + i, reply.text());
                }
            }
        }
    }

    @Test
    void shouldMatchAnswersThatComeInAnotherOrder() throws Exception {
        try (Ends ends = connectBoth()) {
            Pending one = ends.client.callAsync("one".getBytes());
            Pending two = ends.client.callAsync("two".getBytes());
            ends.client.send("no call");
            Message first = ends.served.receive(LONG);
            Message second = ends.served.receive(LONG);
            try (Message third = ends.served.receive(LONG)) {
                assertFalse(third.isRequest());
                assertThrows(IllegalStateException.class, () -> third.reply("nobody asked"));
            }
            second.reply("re: " + second.text());
            first.reply(random(new Random(5), 20_000));
            first.close();
            second.close();
            two.await(LONG);
            one.await(LONG);
            try (Message answer = two.reply();
                    Message longAnswer = one.reply()) {
                assertEquals("re: two", answer.text());
                assertArrayEquals(random(new Random(5), 20_000), longAnswer.bytes());
            }
        }
    }

    @Test
    void shouldDropAnswersThatComeTooLate() throws Exception {
        try (Ends ends = connectBoth()) {
            refused(Errno.ETIMEDOUT, () -> ends.client.call(MemorySegment.ofArray(new byte[1]), SHORT));
            try (Message request = ends.served.receive(LONG)) {
                request.reply("late");
            }
            ends.served.send("next");
            try (Message next = ends.client.receive(LONG)) {
                assertEquals("next", next.text());
            }
        }
    }

    // ---- remote memory ----

    @Test
    void shouldReadAndWriteTheMemoryOfThePeer() throws Exception {
        try (Arena arena = Arena.ofShared();
                Ends ends = connectBoth()) {
            MemorySegment table = arena.allocate(1 << 16, 8);
            server.export("table", table, Access.REMOTE_READ, Access.REMOTE_WRITE, Access.REMOTE_ATOMIC);
            RemoteMemory remote = ends.client.remote("table");
            assertEquals(1 << 16, remote.length());
            byte[] bytes = random(new Random(6), 5000);
            remote.write(100, MemorySegment.ofArray(bytes));
            assertArrayEquals(bytes, table.asSlice(100, 5000).toArray(ValueLayout.JAVA_BYTE));
            byte[] back = new byte[5000];
            remote.read(100, MemorySegment.ofArray(back));
            assertArrayEquals(bytes, back);
            assertEquals(0, remote.fetchAdd(8, 5));
            assertEquals(5, remote.compareAndSwap(8, 5, 7));
            assertEquals(7, remote.compareAndSwap(8, 5, 9));
            assertEquals(7, table.get(ValueLayout.JAVA_LONG, 8));
            assertThrows(IndexOutOfBoundsException.class, () -> remote.read(1 << 16, MemorySegment.ofArray(back)));
            refused(Errno.EINVAL, () -> remote.fetchAdd(4, 1));
            try (MemoryRegion region = ends.client.allocate(1 << 16)) {
                remote.readAsync(0, region, 0, 1 << 16).await(LONG);
                assertArrayEquals(bytes, region.memory().asSlice(100, 5000).toArray(ValueLayout.JAVA_BYTE));
            }
        }
    }

    @Test
    void shouldSayWhatIsWrongWithAnExport() throws Exception {
        try (Arena arena = Arena.ofShared();
                Ends ends = connectBoth()) {
            server.export("readable", arena.allocate(64, 8), Access.REMOTE_READ);
            RdmaException none = refused(Errno.ENOENT, () -> ends.client.remote("nothing"));
            assertTrue(none.getMessage().contains("'nothing'"), none::getMessage);
            RemoteMemory readable = ends.client.remote("readable");
            RdmaException right = refused(Errno.EACCES, () -> readable.write(0, MemorySegment.ofArray(new byte[8])));
            assertTrue(right.getMessage().contains("REMOTE_WRITE"), right::getMessage);
            refused(Errno.EEXIST, () -> server.export("readable", arena.allocate(64, 8), Access.REMOTE_READ));
            refused(Errno.EINVAL, () -> server.export("closed", arena.allocate(64, 8)));
        }
    }

    @Test
    void shouldRevokeAnExportWithoutLosingTheConnection() throws Exception {
        try (Arena arena = Arena.ofShared();
                Ends ends = connectBoth()) {
            Export export = server.export("table", arena.allocate(64, 8), Access.REMOTE_READ);
            RemoteMemory remote = ends.client.remote("table");
            MemorySegment into = MemorySegment.ofArray(new byte[8]);
            remote.read(0, into);
            Thread closing = start(Thread.ofPlatform(), export::close).join();
            // The client takes part in it by handling what has come.
            long startNs = System.nanoTime();
            while (closing.isAlive() && System.nanoTime() - startNs < LONG.toNanos()) {
                assertNull(ends.client.tryReceive());
                Thread.onSpinWait();
            }
            RdmaException revoked = refused(Errno.EACCES, () -> remote.read(0, into));
            assertTrue(revoked.getMessage().contains("revoked"), revoked::getMessage);
            refused(Errno.ENOENT, () -> ends.client.remote("table"));
            ends.client.send("still there");
            try (Message message = ends.served.receive(LONG)) {
                assertEquals("still there", message.text());
            }
        }
    }

    // ---- ends ----

    @Test
    void shouldDeliverWhatWasSentBeforeClosing() throws Exception {
        Ends ends = connectBoth();
        for (int i = 0; i < 20; i++) {
            ends.client.send("message " + i);
        }
        ends.client.close();
        for (int i = 0; i < 20; i++) {
            try (Message message = ends.served.receive(LONG)) {
                assertEquals("message " + i, message.text());
            }
        }
        assertNull(ends.served.receive(LONG));
        assertNull(ends.served.receive(LONG));
        refused(Errno.ECONNRESET, () -> {
            while (true) {
                ends.served.send("nobody takes this");
            }
        });
        ends.served.close();
        ends.served.close();
        refused(Errno.EBADF, () -> ends.client.send("closed"));
    }

    @Test
    void shouldEndWaitsWhenTheConnectionIsClosedByAnotherThread() throws Exception {
        try (Ends ends = connectBoth()) {
            CompletableFuture<Throwable> ended = new CompletableFuture<>();
            Thread waiting = start(Thread.ofPlatform(), () -> {
                        try {
                            ends.client.receive(LONG);
                            ended.complete(null);
                        } catch (Throwable e) {
                            ended.complete(e);
                        }
                    })
                    .join();
            awaitBlocked(waiting);
            ends.client.close();
            Throwable why = ended.get(LONG.toSeconds(), TimeUnit.SECONDS);
            assertTrue(why instanceof RdmaException, () -> String.valueOf(why));
        }
    }

    @Test
    void shouldEndWaitsOfInterruptedThreads() throws Exception {
        try (Ends ends = connectBoth()) {
            for (Thread.Builder builder : List.of(Thread.ofPlatform(), Thread.ofVirtual())) {
                CompletableFuture<Errno> ended = new CompletableFuture<>();
                Thread waiting = start(builder, () -> {
                            try {
                                ends.client.receive(LONG);
                                ended.complete(null);
                            } catch (RdmaException e) {
                                ended.complete(e.errno());
                            }
                        })
                        .join();
                awaitBlocked(waiting);
                waiting.interrupt();
                assertEquals(Errno.EINTR, ended.get(LONG.toSeconds(), TimeUnit.SECONDS));
            }
            ends.served.send("still there");
            try (Message message = ends.client.receive(LONG)) {
                assertEquals("still there", message.text());
            }
        }
    }

    private static void awaitBlocked(Thread thread) {
        long startNs = System.nanoTime();
        while (thread.getState() == Thread.State.RUNNABLE && System.nanoTime() - startNs < 1_000_000_000L) {
            Thread.onSpinWait();
        }
    }

    @Test
    void shouldLetSeveralThreadsUseOneConnection() throws Exception {
        serve(EndpointContract::echo);
        try (Connection connection = connect()) {
            List<CompletableFuture<Integer>> threads = new ArrayList<>();
            for (int t = 0; t < 6; t++) {
                int number = t;
                CompletableFuture<Integer> done = new CompletableFuture<>();
                start(t % 2 == 0 ? Thread.ofPlatform() : Thread.ofVirtual(), () -> {
                    try {
                        int right = 0;
                        for (int i = 0; i < 30; i++) {
                            String question = number + "/" + i;
                            try (Message answer = connection.call(question.getBytes(), LONG)) {
                                right += answer.text().equals(question) ? 1 : 0;
                            }
                        }
                        done.complete(right);
                    } catch (Throwable e) {
                        done.completeExceptionally(e);
                    }
                });
                threads.add(done);
            }
            for (CompletableFuture<Integer> thread : threads) {
                assertEquals(30, thread.get(LONG.toSeconds(), TimeUnit.SECONDS));
            }
        }
    }

    // ---- refusals ----

    @Test
    void shouldSayThatNobodyListens() {
        server = Endpoint.listen(address, 0, serverOptions);
        int port;
        try (EndpointServer other = Endpoint.listen(address, 0, serverOptions)) {
            port = other.port();
        }
        RdmaException none =
                refused(Errno.ECONNREFUSED, () -> Endpoint.connect(address, port, clientOptions.connectTimeout(SHORT)));
        assertTrue(none.getMessage().contains(String.valueOf(port)), none::getMessage);
    }

    @Test
    void shouldRefuseMoreClientsThanAllowed() {
        serverOptions = serverOptions.mostConnections(1);
        serve(EndpointContract::echo);
        try (Connection first = connect()) {
            first.send("one");
            first.receive(LONG).close();
            RdmaException full = refused(Errno.ECONNREFUSED, this::connect);
            assertTrue(full.getMessage().contains("the most that it accepts"), full::getMessage);
        }
    }

    @Test
    void shouldRefuseClientsThatSpeakAnotherProtocol() {
        serve(EndpointContract::echo);
        try (ConnectionId id = clientOptions
                .connectionManager()
                .createEndpoint(
                        PortSpace.TCP,
                        clientOptions.localAddress() == null
                                ? null
                                : new InetSocketAddress(clientOptions.localAddress(), 0),
                        new InetSocketAddress(address, server.port()),
                        LONG)) {
            id.createQueuePair(QueuePairOptions.rc());
            refused(Errno.ECONNREFUSED, () -> id.connect(ConnectionParameters.DEFAULT));
            assertTrue(Handshake.decodeReason(id.event().privateData()).contains("endpoint protocol"));
        }
    }
}
