package io.verbena.endpoint;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.junit.LoopbackDevices;
import io.verbena.junit.RdmaTest;
import io.verbena.verbs.Errno;
import io.verbena.verbs.RdmaException;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Calls whose callers did not wait for the answer. The server is the caller, because its threads never wait at the
/// completion channel themselves.
@RdmaTest
class AbandonedCallTest extends EndpointFixture {
    private static final Duration LIMIT = Duration.ofSeconds(20);
    private static final Duration MOMENT = Duration.ofMillis(20);
    private static final long MOST_DELAY_NS = 100_000;
    private static final ConnectionHandler ECHO = (connection, message) -> message.reply(message.memory());

    @BeforeEach
    void choose(LoopbackDevices devices) {
        address = devices.address().getHostAddress();
        serverOptions = serverOptions.timeout(LIMIT);
        clientOptions = clientOptions.timeout(LIMIT);
    }

    @Test
    void shouldTakeNoCreditForAnswersWhoseCallerGaveUp() throws Exception {
        int calls = 8;
        serverOptions = serverOptions.credits(2);
        try (Ends ends = connectBoth()) {
            List<Message> requests = new ArrayList<>();
            List<Pending> givenUp = new ArrayList<>();
            for (int i = 0; i < calls; i++) {
                Pending call = ends.served().callAsync(new byte[] {(byte) i});
                givenUp.add(call);
                refused(Errno.ETIMEDOUT, () -> call.await(MOMENT));
                requests.add(ends.client().receive(LIMIT));
            }
            start(Thread.ofPlatform(), () -> {
                requests.forEach(request -> request.reply(request.memory()));
                requests.forEach(Message::close);
                ends.client().handle(ECHO);
            });
            try (Message answer = ends.served().call("and now?")) {
                assertEquals("and now?", answer.text());
            }
            for (int i = 0; i < calls; i++) { // late is better than never
                assertTrue(givenUp.get(i).isDone());
                assertEquals((byte) i, givenUp.get(i).reply().bytes()[0]);
            }
        }
    }

    @Test
    void shouldCallBackAfterAThreadThatWaitedHasGivenUp() throws Exception {
        try (Ends ends = connectBoth()) {
            Pending call = ends.served().callAsync(new byte[] {7});
            refused(Errno.ETIMEDOUT, () -> call.await(MOMENT));
            CompletableFuture<Message> stage = call.toCompletionStage().toCompletableFuture();
            try (Message request = ends.client().receive(LIMIT)) {
                request.reply(request.memory());
            }
            try (Message answer = stage.get(LIMIT.toSeconds(), TimeUnit.SECONDS)) {
                assertEquals(7, answer.bytes()[0]);
            }
        }
    }

    @Test
    void shouldKeepTheInterruptOfACallerWhoseAnswerCameAtThatMoment() throws Exception {
        int calls = 1_000;
        long seed = 17;
        Random random = new Random(seed);
        serverOptions = serverOptions.spin(Duration.ofNanos(1));
        try (Ends ends = connectBoth()) {
            ends.client().handle(ECHO);
            Thread caller = Thread.currentThread();
            AtomicInteger wanted = new AtomicInteger();
            AtomicInteger interrupted = new AtomicInteger();
            start(Thread.ofPlatform(), () -> {
                for (int i = 1; i <= calls; i++) {
                    await(wanted, i);
                    long delayNs = (long) (random.nextDouble() * MOST_DELAY_NS);
                    for (long startNs = System.nanoTime(); System.nanoTime() - startNs < delayNs; ) {
                        Thread.onSpinWait();
                    }
                    caller.interrupt();
                    interrupted.set(i);
                }
            });
            MemorySegment bytes = MemorySegment.ofArray(new byte[8]);
            for (int i = 1; i <= calls; i++) {
                boolean told = false;
                wanted.set(i);
                try {
                    ends.served().call(bytes, LIMIT).close();
                } catch (RdmaException e) {
                    assertEquals(Errno.EINTR, e.errno(), e::getMessage);
                    told = true;
                }
                await(interrupted, i);
                assertTrue(told | Thread.interrupted(), "the interrupt of call " + i + " is lost, seed " + seed);
            }
            ends.served()
                    .call("last")
                    .close(); // the handler has answered all before: none of its answers meets the end
        }
    }

    private static void await(AtomicInteger number, int value) {
        long startNs = System.nanoTime();
        while (number.get() != value) {
            if (System.nanoTime() - startNs > LIMIT.toNanos()) {
                throw new AssertionError("still " + number + " instead of " + value);
            }
            LockSupport.parkNanos(1_000); // returns at once in an interrupted thread
        }
    }
}
