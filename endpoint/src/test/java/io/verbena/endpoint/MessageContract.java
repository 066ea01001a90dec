package io.verbena.endpoint;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.verbs.Errno;
import io.verbena.verbs.MemoryRegion;
import io.verbena.verbs.RdmaException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// What messages and calls promise.
abstract class MessageContract extends ClosingContract {
    // ---- messages ----

    @Test
    void shouldReturnMessagesOfAnyLength() {
        serve(EndpointFixture::echo);
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
            Thread sender = start(Thread.ofVirtual(), () -> sent.forEach(ends.client()::send))
                    .join();
            for (byte[] expected : sent) {
                try (Message message = ends.served().receive(LONG)) {
                    assertArrayEquals(expected, message.bytes());
                }
            }
            assertTrue(sender.join(LONG));
        }
    }

    @Test
    void shouldServeManyClientsAtOnce() throws Exception {
        serve(EndpointFixture::echo);
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
                } catch (Throwable e) {
                    done.completeExceptionally(e);
                }
                done.complete(null); // once the connection is closed
            });
            clients.add(done);
        }
        for (CompletableFuture<Void> client : clients) {
            client.get(LONG.toSeconds(), TimeUnit.SECONDS);
        }
    }

    @Test
    void shouldWaitForAPeerThatIsBehindAndGiveUpInTime() throws Exception {
        clientOptions = clientOptions.timeout(shortest);
        serverOptions = serverOptions.credits(5); // one is left for an answer
        try (Ends ends = connectBoth()) {
            int[] sent = new int[1];
            RdmaException late = refused(Errno.ETIMEDOUT, () -> {
                for (int i = 0; i < 1000; i++) {
                    ends.client().send("message " + i);
                    sent[0]++;
                }
            });
            assertTrue(late.getMessage().contains("did not take earlier messages within"), late::getMessage);
            assertEquals(4, sent[0]);
            assertFalse(ends.client().trySend(MemorySegment.ofArray(new byte[1])));
            for (int i = 0; i < 4; i++) {
                try (Message message = ends.served().receive(LONG)) {
                    assertEquals("message " + i, message.text());
                }
            }
            ends.client().send("again");
            try (Message message = ends.served().receive(LONG)) {
                assertEquals("again", message.text());
            }
        }
    }

    @Test
    void shouldLetMessagesThatAreHeldTakeCredits() throws Exception {
        serverOptions = serverOptions.credits(3); // one is left for an answer
        clientOptions = clientOptions.timeout(shortest);
        try (Ends ends = connectBoth()) {
            ends.client().send("one");
            ends.client().send("two");
            Message one = ends.served().receive(LONG);
            Message two = ends.served().receive(LONG);
            refused(Errno.ETIMEDOUT, () -> ends.client().send("three"));
            assertEquals("one", one.text());
            one.close();
            two.close();
            assertThrows(IllegalStateException.class, one::text);
            ends.client().send("three");
            try (Message three = ends.served().receive(LONG)) {
                assertEquals("three", three.text());
            }
        }
    }

    @Test
    void shouldReadLongMessagesOnlyWhenTheProgramAsksForThem() throws Exception {
        clientOptions = clientOptions.timeout(shortest);
        try (Ends ends = connectBoth()) {
            byte[] bytes = random(new Random(3), 50_000);
            for (int i = 0; i < LongMessages.MOST_ANNOUNCED; i++) {
                ends.client().send(bytes);
            }
            refused(Errno.ETIMEDOUT, () -> ends.client().send(bytes));
            for (int i = 0; i < LongMessages.MOST_ANNOUNCED; i++) {
                try (Message message = ends.served().receive(LONG)) {
                    assertArrayEquals(bytes, message.bytes());
                }
            }
        }
    }

    @Test
    void shouldSendFromRegisteredMemoryWithoutACopy() throws Exception {
        try (Ends ends = connectBoth();
                MemoryRegion region = ends.client().allocate(100_000)) {
            byte[] bytes = random(new Random(4), 100_000);
            MemorySegment.copy(bytes, 0, region.memory(), ValueLayout.JAVA_BYTE, 0, bytes.length);
            Pending sent = ends.client().sendAsync(region, 0, bytes.length);
            assertFalse(sent.isDone());
            try (Message message = ends.served().receive(LONG)) {
                assertArrayEquals(bytes, message.bytes());
            }
            sent.await(LONG);
        }
    }

    @Test
    void shouldNotSendBytesOutsideOfTheRegion() throws Exception {
        try (Ends ends = connectBoth();
                MemoryRegion region = ends.client().allocate(100_000)) {
            assertThrows(IndexOutOfBoundsException.class, () -> ends.client().sendAsync(region, 1, region.length()));
            assertThrows(IndexOutOfBoundsException.class, () -> ends.client().sendAsync(region, -1, 50_000));
            ends.client().send("inside");
            try (Message message = ends.served().receive(LONG)) {
                assertEquals("inside", message.text());
            }
        }
    }

    @Test
    void shouldCountEachLongMessageOfAHandlerOnce() throws Exception {
        try (Ends ends = connectBoth()) {
            CompletableFuture<ConnectionStatistics> counted = new CompletableFuture<>();
            ends.served().handle((connection, message) -> {
                if (message.length() == 1) {
                    counted.complete(connection.statistics());
                }
            });
            ends.client().send(new byte[50_000]);
            ends.client().send(new byte[60_000]);
            ends.client().send(new byte[1]);
            ConnectionStatistics statistics = counted.get(LONG.toSeconds(), TimeUnit.SECONDS);
            assertEquals(3, statistics.messagesReceived());
            assertEquals(2, statistics.longMessagesReceived());
            assertEquals(110_001, statistics.bytesReceived());
        }
    }

    @Test
    void shouldRefuseMessagesThatAreTooLong() throws Exception {
        serverOptions = serverOptions.mostMessageBytes(50_000);
        try (Ends ends = connectBoth()) {
            Pending sent = ends.client().sendAsync(new byte[50_001]);
            RdmaException here = refused(Errno.EMSGSIZE, () -> ends.served().receive(LONG));
            assertTrue(here.getMessage().contains("mostMessageBytes"), here::getMessage);
            RdmaException there = refused(Errno.EMSGSIZE, () -> sent.await(LONG));
            assertTrue(there.getMessage().contains("mostMessageBytes"), there::getMessage);
            Pending call = ends.client().callAsync(new byte[50_001]);
            refused(Errno.EMSGSIZE, () -> ends.served().receive(LONG));
            refused(Errno.EMSGSIZE, () -> call.await(LONG));
            ends.client().send("short");
            try (Message message = ends.served().receive(LONG)) {
                assertEquals("short", message.text());
            }
        }
    }

    @Test
    void shouldReportTheArrivalOfMessages() throws Exception {
        try (Ends ends = connectBoth()) {
            Pending first = ends.client().sendAsync(new byte[10]);
            first.await(LONG);
            Pending second = ends.client().sendAsync(new byte[1000]);
            CompletableFuture<Message> stage = second.toCompletionStage().toCompletableFuture();
            stage.get(LONG.toSeconds(), TimeUnit.SECONDS);
            for (int i = 0; i < 2; i++) {
                ends.served().receive(LONG).close();
            }
        }
    }

    @Test
    void shouldKeepALongMessageThatAnInterruptedThreadWasReading() throws Exception {
        try (Ends ends = connectBoth()) {
            byte[] bytes = random(new Random(8), 200_000);
            ends.client().send(bytes);
            for (int i = 0; i < 3; i++) {
                Thread.currentThread().interrupt();
                try (Message message = ends.served().receive(LONG)) {
                    assertArrayEquals(bytes, message.bytes()); // it came before the interrupt was seen
                    Thread.interrupted();
                    return;
                } catch (RdmaException e) {
                    assertEquals(Errno.EINTR, e.errno(), e::getMessage);
                }
            }
            try (Message message = ends.served().receive(LONG)) {
                assertArrayEquals(bytes, message.bytes());
            }
        }
    }

    @Test
    void shouldLoseNoLongMessageWhenTheReaderIsInterruptedAgainAndAgain() throws Exception {
        int count = 60;
        try (Ends ends = connectBoth()) {
            byte[] bytes = random(new Random(9), 60_000);
            Thread reader = Thread.currentThread();
            Thread sender = Thread.ofPlatform().start(() -> {
                for (int i = 0; i < count; i++) {
                    bytes[0] = (byte) i;
                    ends.client().send(bytes);
                }
            });
            AtomicBoolean isOver = new AtomicBoolean();
            Thread interrupter = Thread.ofPlatform().start(() -> {
                while (!isOver.get()) {
                    reader.interrupt();
                    LockSupport.parkNanos(20_000);
                }
            });
            long startNs = System.nanoTime();
            int received = 0;
            try {
                while (received < count && System.nanoTime() - startNs < 60_000_000_000L) {
                    try (Message message = ends.served().receive(LONG)) {
                        assertEquals((byte) received++, message.bytes()[0]);
                    } catch (RdmaException e) {
                        assertEquals(Errno.EINTR, e.errno(), e::getMessage);
                    }
                }
            } finally {
                isOver.set(true);
                joinUninterrupted(interrupter);
                Thread.interrupted();
            }
            assertEquals(count, received);
            sender.join();
        }
    }

    private static void joinUninterrupted(Thread thread) {
        while (thread.isAlive()) {
            Thread.interrupted();
            try {
                thread.join();
            } catch (InterruptedException e) {
                // it interrupts for the last time
            }
        }
    }

    /// A callback that throws, or a thread that waits for what another one waits for, disturbs nobody else.
    @Test
    void shouldGoOnAfterCallbacksThatThrow() throws Exception {
        serve(EndpointFixture::echo);
        try (Connection connection = connect()) {
            Pending first = connection.callAsync("first".getBytes());
            first.onDone(problem -> {
                throw new IllegalStateException("a mistake of the program");
            });
            for (int i = 0; i < 3; i++) {
                try (Message answer = connection.call(("next " + i).getBytes(), LONG)) {
                    assertEquals("next " + i, answer.text());
                }
            }
        }
    }

    // ---- calls ----

    @Test
    void shouldAnswerARequestOnce() throws Exception {
        try (Ends ends = connectBoth()) {
            Pending call = ends.client().callAsync("what time is it?");
            try (Message request = ends.served().receive(LONG)) {
                request.reply("time for tea");
                assertThrows(IllegalStateException.class, () -> request.reply("time for more tea"));
                assertTrue(request.isRequest());
            }
            call.await(LONG);
            try (Message answer = call.reply()) {
                assertEquals("time for tea", answer.text());
            }
            assertTrue(call.reply().toString().startsWith("closed message"));
        }
    }

    @Test
    void shouldAnswerCallsWhileOthersAreUnderWay() {
        serve(EndpointFixture::echo);
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

    /// The client takes no answer before it has sent all requests. Long answers keep their credits until then.
    @ParameterizedTest
    @CsvSource({"200, 20, 4", "100, 20_000, 64"})
    void shouldHoldRequestsBackWhileAHandlerHasNoRoomForAnswers(int count, int bytes, int credits) {
        clientOptions = clientOptions.credits(credits);
        server = Endpoint.listen(address, 0, serverOptions);
        start(
                Thread.ofPlatform(),
                () -> server.handle((connection, message) -> {
                    byte[] answer = new byte[bytes];
                    answer[0] = message.bytes()[0];
                    message.reply(answer);
                }));
        try (Connection connection = connect()) {
            List<Pending> calls = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                calls.add(connection.callAsync(new byte[] {(byte) i}));
            }
            for (int i = 0; i < count; i++) {
                calls.get(i).await(LONG);
                try (Message reply = calls.get(i).reply()) {
                    assertEquals(bytes, reply.length());
                    assertEquals((byte) i, reply.bytes()[0]);
                }
            }
        }
    }

    @Test
    void shouldDeliverMessagesBehindARequestWhoseAnswerNobodyTook() throws Exception {
        CompletableFuture<String> delivered = new CompletableFuture<>();
        CompletableFuture<RuntimeException> ended = new CompletableFuture<>();
        clientOptions = clientOptions.credits(1);
        server = Endpoint.listen(address, 0, serverOptions);
        start(
                Thread.ofPlatform(),
                () -> server.handle(new ConnectionHandler() {
                    @Override
                    public void onConnected(Connection connection) {
                        connection.send("takes the only credit");
                    }

                    @Override
                    public void onMessage(Connection connection, Message message) {
                        delivered.complete(message.text());
                    }

                    @Override
                    public void onEnd(Connection connection, RuntimeException loss) {
                        ended.complete(loss);
                    }
                }));
        try (Connection connection = connect()) {
            connection.callAsync("nobody waits for the answer".getBytes());
            connection.send("behind");
        }
        assertEquals("behind", delivered.get(LONG.toSeconds(), TimeUnit.SECONDS));
        assertEquals(Errno.ECONNRESET, ((RdmaException) ended.get(LONG.toSeconds(), TimeUnit.SECONDS)).errno());
    }

    @Test
    void shouldMatchAnswersThatComeInAnotherOrder() throws Exception {
        try (Ends ends = connectBoth()) {
            Pending one = ends.client().callAsync("one".getBytes());
            Pending two = ends.client().callAsync("two".getBytes());
            ends.client().send("no call");
            Message first = ends.served().receive(LONG);
            Message second = ends.served().receive(LONG);
            try (Message third = ends.served().receive(LONG)) {
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
            refused(Errno.ETIMEDOUT, () -> ends.client().call(MemorySegment.ofArray(new byte[1]), SHORT));
            try (Message request = ends.served().receive(LONG)) {
                request.reply("late");
            }
            ends.served().send("next");
            try (Message next = ends.client().receive(LONG)) {
                assertEquals("next", next.text());
            }
        }
    }
}
