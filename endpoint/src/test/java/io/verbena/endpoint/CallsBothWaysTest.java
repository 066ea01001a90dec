package io.verbena.endpoint;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.junit.LoopbackDevices;
import io.verbena.junit.RdmaTest;
import io.verbena.verbs.Errno;
import io.verbena.verbs.MemoryRegion;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Two sides that call each other as much as they may.
@RdmaTest
class CallsBothWaysTest extends EndpointFixture {
    private static final Duration LIMIT = Duration.ofSeconds(20);
    private static final int CALLS = 50;

    @BeforeEach
    void choose(LoopbackDevices devices) {
        address = devices.address().getHostAddress();
        serverOptions = serverOptions.timeout(LIMIT);
        clientOptions = clientOptions.timeout(LIMIT);
    }

    /// Nothing is received before both sides have used their credits up.
    @ParameterizedTest
    @CsvSource({"2, 10", "4, 10", "64, 10", "5, 20_000"})
    void shouldAnswerWhenBothSidesHaveUsedUpTheirCreditsForCalls(int credits, int bytes) throws Exception {
        serverOptions = serverOptions.credits(credits);
        clientOptions = clientOptions.credits(credits);
        int calls = credits + CALLS;
        CountDownLatch released = new CountDownLatch(1);
        try (Ends ends = connectBoth()) {
            ConnectionHandler echo = (connection, message) -> message.reply(message.memory());
            ends.client().handle(echo);
            ends.served().handle(echo);
            holdUp(ends.client(), released);
            holdUp(ends.served(), released);
            CountDownLatch answers = new CountDownLatch(2 * calls);
            CompletableFuture<Void> toServer = callInThread(ends.client(), calls, bytes, answers);
            CompletableFuture<Void> toClient = callInThread(ends.served(), calls, bytes, answers);
            awaitWait(ends.client());
            awaitWait(ends.served());
            released.countDown();
            toServer.get(LIMIT.toSeconds(), TimeUnit.SECONDS);
            toClient.get(LIMIT.toSeconds(), TimeUnit.SECONDS);
            assertTrue(answers.await(LIMIT.toSeconds(), TimeUnit.SECONDS), () -> answers.getCount() + " are missing");
        } finally {
            released.countDown();
        }
    }

    /// Keeps the hub of a connection from its work until the latch is released. Returns when it does.
    private void holdUp(Connection connection, CountDownLatch until) throws Exception {
        CountDownLatch begun = new CountDownLatch(1);
        start(
                Thread.ofPlatform(),
                () -> connection.link().leave(() -> {
                    begun.countDown();
                    try {
                        until.await(LIMIT.toSeconds(), TimeUnit.SECONDS);
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                    }
                }));
        begun.await(LIMIT.toSeconds(), TimeUnit.SECONDS);
    }

    /// Answers are closed when they come, because long ones keep their credits.
    private CompletableFuture<Void> callInThread(Connection connection, int count, int bytes, CountDownLatch answers) {
        CompletableFuture<Void> made = new CompletableFuture<>();
        start(Thread.ofPlatform(), () -> {
            try {
                for (int i = 0; i < count; i++) {
                    connection.callAsync(new byte[bytes]).toCompletionStage().thenAccept(answer -> {
                        if (answer.length() == bytes) {
                            answers.countDown();
                        }
                        answer.close();
                    });
                }
                made.complete(null);
            } catch (RuntimeException e) {
                made.completeExceptionally(e);
            }
        });
        return made;
    }

    private static void awaitWait(Connection connection) {
        long startNs = System.nanoTime();
        while (connection.statistics().waitsForPeer() == 0) {
            if (System.nanoTime() - startNs > LIMIT.toNanos()) {
                throw new AssertionError("no thread waits for credits");
            }
            Thread.onSpinWait();
        }
    }

    /// One place is left for answers of the handler, for which the thread must not wait without an end.
    @Test
    void shouldGiveUpInTimeWhenAThreadBesideAHandlerSendsLongMessagesThatNobodyReads() throws Exception {
        clientOptions = clientOptions.timeout(SHORT);
        try (Ends ends = connectBoth();
                MemoryRegion region = ends.client().allocate(20_000)) {
            ends.client().handle((connection, message) -> {});
            List<Pending> sent = new ArrayList<>();
            refused(Errno.ETIMEDOUT, () -> {
                for (int i = 0; i <= LongMessages.MOST_ANNOUNCED; i++) {
                    sent.add(ends.client().sendAsync(region, 0, 20_000));
                }
            });
            assertEquals(LongMessages.MOST_ANNOUNCED - 1, sent.size());
            for (Pending each : sent) {
                ends.served().receive(LIMIT).close();
                each.await(LIMIT);
            }
        }
    }
}
