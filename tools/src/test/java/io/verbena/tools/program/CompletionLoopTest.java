package io.verbena.tools.program;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.verbs.CompletionQueue;
import io.verbena.verbs.Errno;
import io.verbena.verbs.RdmaException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class CompletionLoopTest {
    private static final Duration SHORT = Duration.ofMillis(50);

    /// A loop on a queue that always returns as many completions as asked for, none of them an awaited one.
    private static CompletionLoop flooded() {
        CompletionQueue cq = (CompletionQueue) Proxy.newProxyInstance(
                CompletionQueue.class.getClassLoader(),
                new Class<?>[] {CompletionQueue.class},
                (_, _, arguments) -> arguments[1]);
        return new CompletionLoop(cq, Waiting.spinning(), () -> false, SHORT, _ -> {}, _ -> "REQUEST");
    }

    @Test
    void shouldGiveUpAlsoWhileOtherCompletionsKeepComing() {
        var error = assertThrows(ProgramException.class, () -> flooded().await(() -> false, "answer"));
        assertTrue(error.getMessage().startsWith("no answer within "), error.getMessage());
    }

    @Test
    void shouldNotWaitForEverForADisconnectWhileCompletionsKeepComing() {
        assertFalse(flooded().awaitDisconnect(SHORT));
    }

    @Test
    void shouldTakeWhatThePeerSentBeforeItLeft() {
        var polls = new AtomicInteger();
        // the message arrives, and the peer leaves, right after the first poll
        CompletionQueue cq = (CompletionQueue) Proxy.newProxyInstance(
                CompletionQueue.class.getClassLoader(),
                new Class<?>[] {CompletionQueue.class},
                (_, _, _) -> polls.incrementAndGet() == 2 ? 1 : 0);
        var loop = new CompletionLoop(cq, new Dozing(), () -> polls.get() >= 1, SHORT, _ -> {}, _ -> "REQUEST");
        loop.await(() -> polls.get() >= 2, "last message");
        var error = assertThrows(ProgramException.class, () -> loop.await(() -> false, "one more"));
        assertTrue(error.isDisconnected(), error.getMessage());
    }

    private static final class Dozing implements Waiting {
        @Override
        public void arm() {}

        @Override
        public boolean rest() {
            return true;
        }
    }

    @Test
    void shouldEndItsWaitWhenInterrupted() {
        CompletionQueue cq = (CompletionQueue) Proxy.newProxyInstance(
                CompletionQueue.class.getClassLoader(), new Class<?>[] {CompletionQueue.class}, (_, _, _) -> 0);
        var loop = new CompletionLoop(cq, Waiting.spinning(), () -> false, Duration.ZERO, _ -> {}, _ -> "REQUEST");
        Thread.currentThread().interrupt();
        var error = assertThrows(RdmaException.class, () -> loop.await(() -> false, "answer"));
        assertEquals(Errno.EINTR, error.errno());
        assertFalse(Thread.interrupted());
    }
}
