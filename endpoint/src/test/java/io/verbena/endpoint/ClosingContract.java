package io.verbena.endpoint;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.verbs.Errno;
import io.verbena.verbs.RdmaException;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/// How connections end, and what their sides are told.
abstract class ClosingContract extends EndpointFixture {
    @Test
    void shouldDeliverWhatWasSentBeforeClosing() throws Exception {
        Ends ends = connectBoth();
        for (int i = 0; i < 20; i++) {
            ends.client().send("message " + i);
        }
        ends.client().close();
        for (int i = 0; i < 20; i++) {
            try (Message message = ends.served().receive(LONG)) {
                assertEquals("message " + i, message.text());
            }
        }
        assertNull(ends.served().receive(LONG));
        assertNull(ends.served().receive(LONG));
        refused(Errno.ECONNRESET, () -> {
            while (true) {
                ends.served().send("nobody takes this");
            }
        });
        ends.served().close();
        ends.served().close();
        refused(Errno.EBADF, () -> ends.client().send("closed"));
    }

    @Test
    void shouldEndWaitsWhenTheConnectionIsClosedByAnotherThread() throws Exception {
        try (Ends ends = connectBoth()) {
            CompletableFuture<Throwable> ended = new CompletableFuture<>();
            Thread waiting = start(Thread.ofPlatform(), () -> {
                        try {
                            ends.client().receive(LONG);
                            ended.complete(null);
                        } catch (Throwable e) {
                            ended.complete(e);
                        }
                    })
                    .join();
            awaitBlocked(waiting);
            ends.client().close();
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
                                ends.client().receive(LONG);
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
            ends.served().send("still there");
            try (Message message = ends.client().receive(LONG)) {
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
    void shouldFailToSendSoonAfterThePeerHasClosed() throws Exception {
        try (Ends ends = connectBoth()) {
            ends.client().send("the only one that is wanted");
            ends.served().receive(LONG).close();
            CompletableFuture<Thread> closing = start(Thread.ofPlatform(), ends.served()::close);
            MemorySegment more = MemorySegment.ofArray(new byte[1]);
            RdmaException closed = refused(
                    Errno.ECONNRESET,
                    () -> spinUntil(
                            "sending fails",
                            () -> { // END may take its time
                                ends.client().trySend(more);
                                return false;
                            }));
            assertTrue(closed.getMessage().contains("the peer has closed it"), closed::getMessage);
            closing.get(LONG.toSeconds(), TimeUnit.SECONDS).join();
        }
    }

    @Test
    void shouldNoticeThatThePeerHasClosedWhileItOnlySends() throws Exception {
        try (Ends ends = connectBoth()) {
            ends.served().close(); // its END is here when the other side does not answer for a moment
            int[] sent = new int[1];
            refused(Errno.ECONNRESET, () -> {
                for (; sent[0] < 30; sent[0]++) {
                    ends.client().send("into the void");
                }
            });
            assertTrue(sent[0] < 20, () -> sent[0] + " messages were sent to a peer that had closed");
        }
    }

    @Test
    void shouldReportMessagesThatThePeerDidNotReceiveBeforeItClosed() throws Exception {
        Ends ends = connectBoth();
        for (int i = 0; i < 5; i++) {
            ends.client().sendAsync(new byte[] {(byte) i}).await(LONG);
        }
        for (int i = 0; i < 2; i++) {
            ends.served().receive(LONG).close();
        }
        ends.served().close();
        RdmaException lost = refused(Errno.ECONNRESET, ends.client()::close);
        assertTrue(lost.getMessage().contains("did not receive the last 3 messages"), lost::getMessage);
    }

    @Test
    void shouldTellThatThePeerHasClosedAlsoWhileMessagesOfItAreLeft() throws Exception {
        try (Ends ends = connectBoth()) {
            assertNull(ends.client().loss());
            ends.served().send("the last one");
            Thread closing = start(Thread.ofPlatform(), ends.served()::close).join();
            spinUntil("the end is told", () -> ends.client().loss() != null);
            try (Message message = ends.client().receive(LONG)) {
                assertEquals("the last one", message.text());
            }
            assertNull(ends.client().receive(LONG));
            ends.client().close();
            closing.join();
        }
    }

    @Test
    void shouldTellWhyItIsOverAlsoAfterItWasClosed() throws Exception {
        try (Ends ends = connectBoth()) {
            ends.served().close();
            ends.client().close();
            assertNotNull(ends.client().loss());
            ends.client().close();
        }
    }

    @Test
    void shouldNotReportAnswersThatNobodyWaitsFor() throws Exception {
        try (Ends ends = connectBoth()) {
            ends.client().callAsync(new byte[1]);
            try (Message request = ends.served().receive(LONG)) {
                request.reply("nobody waits");
            }
            CompletableFuture<Thread> closing = start(Thread.ofPlatform(), ends.client()::close);
            assertNull(ends.served().receive(LONG));
            ends.served().close(); // would say so
            closing.get(LONG.toSeconds(), TimeUnit.SECONDS).join();
        }
    }

    @Test
    void shouldDropAnswersToPeersThatHaveClosed() throws Exception {
        try (Ends ends = connectBoth()) {
            ends.client().callAsync(new byte[1]);
            try (Message request = ends.served().receive(LONG)) {
                CompletableFuture<Thread> closing = start(Thread.ofPlatform(), ends.client()::close);
                assertNull(ends.served().receive(LONG));
                request.reply("too late");
                assertEquals(0, ends.served().statistics().messagesSent());
                ends.served().close();
                closing.get(LONG.toSeconds(), TimeUnit.SECONDS).join();
            }
        }
    }

    @Test
    void shouldTellHandlersOfClientsThatTheHandlerOfTheServerFailed() throws Exception {
        serve(connection -> {
            throw new IllegalStateException("the handler fails, as the test wants");
        });
        CompletableFuture<RuntimeException> end = new CompletableFuture<>();
        try (Connection client = connect()) {
            client.handle(new ConnectionHandler() {
                @Override
                public void onMessage(Connection connection, Message message) {}

                @Override
                public void onEnd(Connection connection, RuntimeException loss) {
                    end.complete(loss);
                }
            });
            RuntimeException loss = end.get(LONG.toSeconds(), TimeUnit.SECONDS);
            assertTrue(loss.getMessage().contains("its program failed"), loss::getMessage);
        }
    }

    @Test
    void shouldTellClientsThatTheHandlerOfAllConnectionsFailed() {
        server = Endpoint.listen(address, 0, serverOptions);
        start(
                Thread.ofPlatform(),
                () -> server.handle((_, _) -> {
                    throw new IllegalStateException("the handler fails, as the test wants");
                }));
        for (int i = 0; i < 3; i++) {
            try (Connection client = connect()) {
                RdmaException failed = refused(Errno.ECONNRESET, () -> client.call("question"));
                assertTrue(failed.getMessage().contains("its program failed"), failed::getMessage);
            }
        }
    }

    @Test
    void shouldShowTheLineOfTheProgramWhereAWaitFailed() throws Exception {
        try (Ends ends = connectBoth()) {
            CompletableFuture<RdmaException> failed = new CompletableFuture<>();
            Thread caller = start(
                            Thread.ofVirtual(),
                            () -> failed.complete(refused(
                                    Errno.ECONNRESET,
                                    () -> ends.client().call("question").close())))
                    .join();
            awaitBlocked(caller);
            Thread closing = start(Thread.ofPlatform(), ends.served()::close).join();
            RdmaException lost = failed.get(LONG.toSeconds(), TimeUnit.SECONDS);
            assertTrue(
                    Arrays.stream(lost.getStackTrace())
                            .anyMatch(frame -> frame.getClassName().equals(ClosingContract.class.getName())),
                    () -> Arrays.toString(lost.getStackTrace()));
            ends.client().close();
            closing.join();
        }
    }

    @Test
    void shouldTellAllThreadsThatTheHandlerOfTheirSideFailed() throws Exception {
        try (Ends ends = connectBoth()) {
            ends.client().handle((_, _) -> {
                throw new IllegalStateException("out of tea");
            });
            Pending call = ends.client().callAsync(new byte[1]);
            ends.served().send("the handler fails");
            for (Runnable use : List.<Runnable>of(
                    () -> call.await(LONG), () -> ends.client().send("more"))) {
                RdmaException failed = refused(Errno.ECONNRESET, use);
                assertTrue(failed.getMessage().contains("out of tea"), failed::getMessage);
            }
            assertTrue(ends.client().loss().getMessage().contains("out of tea"));
        }
    }

    @Test
    void shouldReportMessagesThatCameAfterTheHandlerOfThePeerFailed() throws Exception {
        Ends ends = connectBoth();
        for (int i = 0; i < 5; i++) {
            ends.client().sendAsync(new byte[1]).await(LONG);
        }
        ends.served().handle((_, _) -> {
            throw new IllegalStateException("the handler fails at the first message, as the test wants");
        });
        spinUntil("the end is told", () -> ends.client().loss() != null);
        RdmaException lost = refused(Errno.ECONNRESET, ends.client()::close);
        assertTrue(lost.getMessage().contains("did not receive the last 4 messages"), lost::getMessage);
    }

    @Test
    void shouldTellClientsThatTheHandlerOfTheServerFailed() {
        serve(connection -> {
            connection.receive(LONG).close();
            throw new IllegalStateException("the handler fails, as the test wants");
        });
        Connection client = connect();
        client.send("fail");
        RdmaException failed = refused(Errno.ECONNRESET, () -> client.receive(LONG));
        assertTrue(failed.getMessage().contains("its program failed"), failed::getMessage);
        client.close();
    }
}
