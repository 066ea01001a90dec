package io.verbena.endpoint;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
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
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;

/// What connections promise, on every path and in the simulated network.
abstract class EndpointContract extends MessageContract {
    // ---- remote memory ----

    @Test
    void shouldReadAndWriteTheMemoryOfThePeer() throws Exception {
        try (Arena arena = Arena.ofShared();
                Ends ends = connectBoth()) {
            MemorySegment table = arena.allocate(1 << 16, 8);
            server.export("table", table, Access.REMOTE_READ, Access.REMOTE_WRITE, Access.REMOTE_ATOMIC);
            RemoteMemory remote = ends.client().remote("table");
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
            try (MemoryRegion region = ends.client().allocate(1 << 16)) {
                remote.readAsync(0, region, 0, 1 << 16).await(LONG);
                assertArrayEquals(bytes, region.memory().asSlice(100, 5000).toArray(ValueLayout.JAVA_BYTE));
            }
        }
    }

    @Test
    void shouldReadSeveralRangesInOnePostWhileOthersAreUnderWay() throws Exception {
        clientOptions = clientOptions.sendRequests(16);
        try (Ends ends = connectBoth();
                MemoryRegion into = ends.client().allocate(1 << 16)) {
            byte[] bytes = random(new Random(9), 1 << 16);
            server.allocate("table", 1 << 16, Access.REMOTE_READ).memory().copyFrom(MemorySegment.ofArray(bytes));
            RemoteMemory remote = ends.client().remote("table");
            byte[] expected = new byte[1 << 16];
            List<Pending> pending = new ArrayList<>();
            for (int at = 0; at < 15_000; at += 1000) { // more posts than there is room for at once
                List<RemoteMemory.Range> ranges = new ArrayList<>();
                for (int i = 0; i < 5; i++) {
                    int offset = (at * 7 + i * 11_111) % 60_000;
                    ranges.add(new RemoteMemory.Range(offset, at + i * 200L, 199 - i));
                    System.arraycopy(bytes, offset, expected, at + i * 200, 199 - i);
                }
                pending.add(
                        at % 2000 == 0 ? remote.readAllAsync(ranges, into) : remote.readAllInOrderAsync(ranges, into));
            }
            pending.forEach(each -> each.await(LONG));
            assertArrayEquals(expected, into.memory().toArray(ValueLayout.JAVA_BYTE));
            assertEquals(75, ends.client().statistics().remoteAccesses());
        }
    }

    @Test
    void shouldReadAsManyRangesAsTheQueueTakesAfterRequestsWithoutACompletion() throws Exception {
        clientOptions = clientOptions.sendRequests(16);
        try (Ends ends = connectBoth();
                MemoryRegion into = ends.client().allocate(128)) {
            server.allocate("table", 128, Access.REMOTE_READ).memory().fill((byte) 1);
            RemoteMemory remote = ends.client().remote("table");
            for (int sends = 0; sends < 18; sends++) {
                into.memory().fill((byte) 0);
                List<RemoteMemory.Range> ranges = new ArrayList<>();
                for (int i = 0; i < 16; i++) {
                    ranges.add(new RemoteMemory.Range(i * 8L, i * 8L, 8));
                }
                remote.readAllAsync(ranges, into).await(LONG);
                for (int i = 0; i < 16; i++) {
                    assertEquals(1, into.memory().get(ValueLayout.JAVA_BYTE, i * 8L + 7), "range " + i);
                }
                for (int i = 0; i < sends; i++) {
                    ends.client().send("x");
                    ends.served().receive(LONG).close();
                }
            }
        }
    }

    @Test
    void shouldReadNothingWhenOneOfTheRangesIsWrong() throws Exception {
        clientOptions = clientOptions.sendRequests(16);
        try (Ends ends = connectBoth();
                MemoryRegion into = ends.client().allocate(64)) {
            server.allocate("table", 128, Access.REMOTE_READ).memory().fill((byte) 1);
            RemoteMemory remote = ends.client().remote("table");
            RemoteMemory.Range right = new RemoteMemory.Range(0, 0, 8);
            for (RemoteMemory.Range wrong : List.of(
                    new RemoteMemory.Range(121, 0, 8),
                    new RemoteMemory.Range(0, 57, 8),
                    new RemoteMemory.Range(-1, 0, 8),
                    new RemoteMemory.Range(0, 0, -1))) {
                assertThrows(IndexOutOfBoundsException.class, () -> remote.readAllAsync(List.of(right, wrong), into));
            }
            assertThrows(IllegalArgumentException.class, () -> remote.readAllAsync(List.of(), into));
            assertThrows(
                    IllegalArgumentException.class, () -> remote.readAllAsync(Collections.nCopies(17, right), into));
            remote.readAllAsync(List.of(new RemoteMemory.Range(0, 32, 8)), into).await(LONG);
            assertEquals(0, into.memory().get(ValueLayout.JAVA_LONG, 0));
            ends.served().close();
            refused(
                    Errno.ECONNRESET,
                    () -> Collections.nCopies(100, right)
                            .forEach(range -> remote.readAllAsync(List.of(range, range), into)
                                    .await(LONG)));
        }
    }

    @Test
    void shouldExportMemoryThatCannotBeWritten() throws Exception {
        try (Arena arena = Arena.ofShared();
                Ends ends = connectBoth()) {
            MemorySegment bytes = arena.allocate(64, 8);
            bytes.set(ValueLayout.JAVA_BYTE, 63, (byte) 7);
            server.export("file", bytes.asReadOnly(), Access.REMOTE_READ);
            byte[] read = new byte[64];
            ends.client().remote("file").read(0, MemorySegment.ofArray(read));
            assertEquals(7, read[63]);
            refused(Errno.EINVAL, () -> server.export("other", bytes.asReadOnly(), Access.REMOTE_WRITE));
        }
    }

    @Test
    void shouldReadMemoryThatTheServerAllocatedUntilItIsClosed() throws Exception {
        try (Ends ends = connectBoth()) {
            Export export = server.allocate("chunk", 3 << 20, Access.REMOTE_READ);
            assertEquals(3 << 20, export.memory().byteSize());
            byte[] bytes = random(new Random(8), 2 << 20);
            MemorySegment.copy(bytes, 0, export.memory(), ValueLayout.JAVA_BYTE, 1000, bytes.length);
            RemoteMemory remote = ends.client().remote("chunk");
            try (MemoryRegion region = ends.client().allocate(2 << 20)) {
                remote.readAsync(1000, region, 0, bytes.length).await(LONG);
                assertArrayEquals(bytes, region.memory().toArray(ValueLayout.JAVA_BYTE));
            }
            refused(Errno.EEXIST, () -> server.allocate("chunk", 64, Access.REMOTE_READ));
            refused(Errno.EINVAL, () -> server.allocate("other", 64));
            Thread closing = start(Thread.ofPlatform(), export::close).join();
            long startNs = System.nanoTime();
            while (closing.isAlive() && System.nanoTime() - startNs < LONG.toNanos()) {
                assertNull(ends.client().tryReceive());
                Thread.onSpinWait();
            }
            assertFalse(export.memory().scope().isAlive());
            refused(Errno.ENOENT, () -> ends.client().remote("chunk"));
            server.allocate("chunk", 64, Access.REMOTE_READ).close(); // nobody has found it
        }
    }

    @Test
    void shouldKeepOneObjectForMemoryThatIsFoundAgain() throws Exception {
        try (Arena arena = Arena.ofShared();
                Ends ends = connectBoth()) {
            server.export("table", arena.allocate(64, 8), Access.REMOTE_READ);
            RemoteMemory first = ends.client().remote("table");
            assertSame(first, ends.client().remote("table"));
        }
    }

    @Test
    void shouldSayWhatIsWrongWithAnExport() throws Exception {
        try (Arena arena = Arena.ofShared();
                Ends ends = connectBoth()) {
            server.export("readable", arena.allocate(64, 8), Access.REMOTE_READ);
            RdmaException none = refused(Errno.ENOENT, () -> ends.client().remote("nothing"));
            assertTrue(none.getMessage().contains("'nothing'"), none::getMessage);
            RemoteMemory readable = ends.client().remote("readable");
            RdmaException right = refused(Errno.EACCES, () -> readable.write(0, MemorySegment.ofArray(new byte[8])));
            assertTrue(right.getMessage().contains("REMOTE_WRITE"), right::getMessage);
            refused(Errno.EEXIST, () -> server.export("readable", arena.allocate(64, 8), Access.REMOTE_READ));
            refused(Errno.EINVAL, () -> server.export("closed", arena.allocate(64, 8)));
        }
    }

    @Test
    void shouldRefuseMemoryThatCannotBeExported() {
        MemorySegment closed;
        try (Arena arena = Arena.ofShared()) {
            closed = arena.allocate(64, 8);
        }
        server = Endpoint.listen(address, 0, serverOptions);
        try (Arena shared = Arena.ofShared();
                Arena confined = Arena.ofConfined()) {
            MemorySegment memory = shared.allocate(64, 8);
            refusedExport(Errno.EFAULT, "heap", MemorySegment.ofArray(new byte[64]), Access.REMOTE_READ);
            refusedExport(Errno.EFAULT, "is closed", closed, Access.REMOTE_READ);
            refusedExport(Errno.EFAULT, "confined", confined.allocate(64, 8), Access.REMOTE_READ);
            refusedExport(Errno.EINVAL, "grant REMOTE_READ only", memory.asReadOnly(), Access.REMOTE_ATOMIC);
            refusedExport(Errno.EINVAL, "empty", memory.asSlice(0, 0), Access.REMOTE_READ);
            server.export("odd", memory.asSlice(1), Access.REMOTE_READ).close();
        }
    }

    private void refusedExport(Errno errno, String why, MemorySegment memory, Access right) {
        RdmaException refused = refused(errno, () -> server.export("odd", memory, right));
        assertTrue(refused.getMessage().startsWith("export 'odd': "), refused::getMessage);
        assertTrue(refused.getMessage().contains(why), refused::getMessage);
    }

    @Test
    void shouldExportAndAllocateNothingOnceItIsClosed() throws Exception {
        Ends ends = connectBoth();
        ends.close();
        try (Arena arena = Arena.ofShared()) {
            MemorySegment memory = arena.allocate(64, 8);
            refused(Errno.EBADF, () -> ends.client().allocate(64));
            refused(Errno.EBADF, () -> ends.client().export("late", memory, Access.REMOTE_READ));
            server.close();
            refused(Errno.EBADF, () -> server.export("late", memory, Access.REMOTE_READ));
            refused(Errno.EBADF, () -> server.allocate("late", 64, Access.REMOTE_READ));
        }
    }

    @Test
    void shouldRevokeAnExportWithoutLosingTheConnection() throws Exception {
        try (Arena arena = Arena.ofShared();
                Ends ends = connectBoth()) {
            Export export = server.export("table", arena.allocate(64, 8), Access.REMOTE_READ);
            RemoteMemory remote = ends.client().remote("table");
            MemorySegment into = MemorySegment.ofArray(new byte[8]);
            remote.read(0, into);
            Thread closing = start(Thread.ofPlatform(), export::close).join();
            // The client takes part in it by handling what has come.
            long startNs = System.nanoTime();
            while (closing.isAlive() && System.nanoTime() - startNs < LONG.toNanos()) {
                assertNull(ends.client().tryReceive());
                Thread.onSpinWait();
            }
            RdmaException revoked = refused(Errno.EACCES, () -> remote.read(0, into));
            assertTrue(revoked.getMessage().contains("revoked"), revoked::getMessage);
            refused(Errno.ENOENT, () -> ends.client().remote("table"));
            ends.client().send("still there");
            try (Message message = ends.served().receive(LONG)) {
                assertEquals("still there", message.text());
            }
        }
    }

    // ---- threads ----

    @Test
    void shouldLetSeveralThreadsUseOneConnection() throws Exception {
        serve(EndpointFixture::echo);
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

    // ---- handlers ----

    @Test
    void shouldServeConnectionsByOneHandler() throws Exception {
        List<String> ends = Collections.synchronizedList(new ArrayList<>());
        CompletableFuture<String> received = new CompletableFuture<>();
        server = Endpoint.listen(address, 0, serverOptions.credits(4));
        start(
                Thread.ofPlatform(),
                () -> server.handle(new ConnectionHandler() {
                    @Override
                    public void onMessage(Connection connection, Message message) {
                        try {
                            connection.receive(LONG);
                        } catch (IllegalStateException e) {
                            received.complete(e.getMessage());
                        }
                        if (message.isRequest()) {
                            message.reply("re: " + message.text());
                        } else {
                            connection.send(message);
                        }
                    }

                    @Override
                    public void onEnd(Connection connection, RuntimeException loss) {
                        ends.add(loss == null ? "closed" : loss.getMessage());
                    }
                }));
        byte[] bytes = random(new Random(7), 60_000);
        for (int i = 0; i < 3; i++) {
            try (Connection connection = connect()) {
                for (int m = 0; m < 10; m++) {
                    connection.send("message " + m);
                    connection.send(bytes);
                    try (Message echo = connection.receive(LONG);
                            Message longEcho = connection.receive(LONG)) {
                        assertEquals("message " + m, echo.text());
                        assertArrayEquals(bytes, longEcho.bytes());
                    }
                }
                try (Message reply = connection.call("question")) {
                    assertEquals("re: question", reply.text());
                }
            }
        }
        assertTrue(received.get(LONG.toSeconds(), TimeUnit.SECONDS).contains("handler"));
        await(() -> server.connections() == 0);
        assertEquals(List.of("closed", "closed", "closed"), ends);
    }

    @Test
    void shouldNameWhatAHandlerMustNotWaitFor() throws Exception {
        CompletableFuture<RdmaException> refused = new CompletableFuture<>();
        server = Endpoint.listen(address, 0, serverOptions);
        start(
                Thread.ofPlatform(),
                () -> server.handle((connection, message) -> refused.complete(refused(Errno.EAGAIN, () -> {
                    for (int i = 0; i < 1_000; i++) {
                        connection.send(message);
                    }
                }))));
        try (Connection client = connect()) {
            client.send("nobody receives the answers");
            RdmaException wait = refused.get(LONG.toSeconds(), TimeUnit.SECONDS);
            assertTrue(wait.getMessage().startsWith("send to "), wait::getMessage);
        }
    }

    @Test
    void shouldRefuseToReceiveBesideAHandler() throws Exception {
        try (Ends ends = connectBoth()) {
            ends.client().handle((_, _) -> {});
            assertThrows(IllegalStateException.class, () -> ends.client().receive(LONG));
            assertThrows(IllegalStateException.class, ends.client()::tryReceive);
            assertThrows(
                    IllegalStateException.class, () -> ends.client().iterator().hasNext());
        }
    }

    /// The thread waits for credits again and again, and polls in place of the library's thread then.
    @Test
    void shouldGiveAHandlerAllAnswersInOrderWhileAThreadSendsByTheSameConnection() throws Exception {
        int count = 3_000;
        serve(EndpointFixture::echo);
        CompletableFuture<Integer> all = new CompletableFuture<>();
        int[] next = new int[1];
        try (Connection client = connect()) {
            client.handle((_, message) -> {
                assertEquals(next[0]++, message.memory().get(ValueLayout.JAVA_INT_UNALIGNED, 0));
                if (next[0] == count) {
                    all.complete(count);
                }
            });
            MemorySegment number = MemorySegment.ofArray(new byte[Integer.BYTES]);
            for (int i = 0; i < count; i++) {
                number.set(ValueLayout.JAVA_INT_UNALIGNED, 0, i);
                client.send(number);
            }
            all.get(LONG.toSeconds(), TimeUnit.SECONDS);
        }
    }

    @Test
    void shouldGiveEachCallItsOwnAnswerWhenAHandlerAnswersLater() throws Exception {
        int calls = 5;
        LinkedBlockingQueue<Message> requests = new LinkedBlockingQueue<>();
        try (Ends ends = connectBoth()) {
            ends.served().handle((connection, message) -> requests.add(message));
            List<Pending> pending = new ArrayList<>();
            for (int i = 0; i < calls; i++) {
                pending.add(ends.client().callAsync(new byte[] {(byte) i}));
            }
            await(() -> requests.size() == calls);
            int answer = 0;
            for (Message request : requests) {
                request.reply(new byte[] {(byte) answer++});
            }
            for (int i = 0; i < calls; i++) {
                pending.get(i).await(LONG);
                try (Message reply = pending.get(i).reply()) {
                    assertArrayEquals(new byte[] {(byte) i}, reply.bytes());
                }
            }
        }
    }

    private static void await(BooleanSupplier condition) {
        long startNs = System.nanoTime();
        while (!condition.getAsBoolean()) {
            assertTrue(System.nanoTime() - startNs < LONG.toNanos());
            Thread.yield();
        }
    }

    @Test
    void shouldTellAHandlerWhenThePeerTakesMessagesAgain() throws Exception {
        serverOptions = serverOptions.credits(3); // one is left for an answer
        try (Ends ends = connectBoth()) {
            CompletableFuture<Void> writable = new CompletableFuture<>();
            ends.client().handle(new ConnectionHandler() {
                @Override
                public void onMessage(Connection connection, Message message) {}

                @Override
                public void onWritable(Connection connection) {
                    writable.complete(null);
                }
            });
            MemorySegment bytes = MemorySegment.ofArray(new byte[] {1});
            assertTrue(ends.client().trySend(bytes));
            assertTrue(ends.client().trySend(bytes));
            assertFalse(ends.client().trySend(bytes));
            ends.served().receive(LONG).close();
            ends.served().receive(LONG).close();
            writable.get(LONG.toSeconds(), TimeUnit.SECONDS);
            assertTrue(ends.client().trySend(bytes));
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
        serve(EndpointFixture::echo);
        try (Connection first = connect()) {
            first.send("one");
            first.receive(LONG).close();
            RdmaException full = refused(Errno.ECONNREFUSED, this::connect);
            assertTrue(full.getMessage().contains("the most that it accepts"), full::getMessage);
        }
    }

    @Test
    void shouldRefuseClientsThatSpeakAnotherProtocol() {
        serve(EndpointFixture::echo);
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
