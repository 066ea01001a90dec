package io.verbena.rdmacore.event;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.verbs.Errno;
import io.verbena.verbs.Poller;
import io.verbena.verbs.RdmaException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@EnabledOnOs(OS.LINUX)
class NativeEventSourceTest {
    private static final Duration LONG = Duration.ofSeconds(60);

    /// Events are counted by the descriptor itself.
    private static final class Counted extends NativeEventSource<Integer> {
        private final Signal signal;
        private final AtomicInteger waiting = new AtomicInteger();

        Counted(Signal signal) {
            super("wait", signal.fd());
            this.signal = signal;
        }

        @Override
        protected Integer take() {
            waiting.incrementAndGet();
            if (!isReady()) {
                return null;
            }
            signal.clear();
            return 1;
        }

        void close() {
            shut();
            signal.close();
        }
    }

    private final Counted source = new Counted(new Signal());

    private CompletableFuture<Object> waiter(Thread[] thread, boolean virtual, Runnable body) {
        CompletableFuture<Object> done = new CompletableFuture<>().orTimeout(30, TimeUnit.SECONDS);
        Runnable run = () -> {
            try {
                body.run();
                done.complete("returned");
            } catch (RdmaException e) {
                done.complete(e.errno());
            } catch (Throwable e) {
                done.completeExceptionally(e);
            }
        };
        thread[0] = virtual
                ? Thread.ofVirtual().start(run)
                : Thread.ofPlatform().daemon().start(run);
        return done;
    }

    private void untilWaiting() {
        while (source.waiting.get() == 0) {
            Thread.onSpinWait();
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldWakeAWaiterWithAnEvent(boolean virtual) {
        CompletableFuture<Object> done = waiter(new Thread[1], virtual, () -> assertEquals(1, source.await(LONG)));
        untilWaiting();
        source.signal.raise();
        assertEquals("returned", done.join());
        source.close();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldWakeAWaiterWhenClosed(boolean virtual) {
        CompletableFuture<Object> done = waiter(new Thread[1], virtual, () -> source.await(LONG));
        untilWaiting();
        source.close();
        assertEquals(Errno.EBADF, done.join());
        assertEquals(
                Errno.EBADF,
                assertThrows(RdmaException.class, () -> source.await(LONG)).errno());
        assertFalse(source.isReady());
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldHearOfAnInterrupt(boolean virtual) {
        Thread[] thread = new Thread[1];
        CompletableFuture<Object> done = waiter(thread, virtual, () -> source.await(LONG));
        untilWaiting();
        thread[0].interrupt();
        assertEquals(Errno.EINTR, done.join());
        source.close();
    }

    @Test
    void shouldReturnWhenTheTimeIsOver() {
        assertNull(source.await(Duration.ZERO));
        assertNull(source.await(Duration.ofMillis(5)));
        source.close();
    }

    @Test
    void shouldNotReadBeforeItSleepsWhenThatFoundNothingBefore() {
        Duration brief = Duration.ofNanos(1);
        assertNull(source.await(brief));
        int first = source.waiting.getAndSet(0);
        assertNull(source.await(brief));
        assertEquals(first - 1, source.waiting.getAndSet(0));
        source.signal.raise();
        assertNull(awaitTwice(), "there was one event");
        for (int i = 0; i < 100; i++) {
            source.signal.raise();
            assertEquals(1, source.await(LONG));
        }
        source.waiting.set(0);
        assertNull(source.await(brief));
        assertEquals(first, source.waiting.get(), "events that are there are read at once");
        source.close();
    }

    private Integer awaitTwice() {
        assertEquals(1, source.await(LONG));
        return source.await(Duration.ZERO);
    }

    @Test
    void shouldWaitForSeveralSources() {
        Counted other = new Counted(new Signal());
        try (Poller poller = Poller.of(source, other)) {
            assertEquals(0, poller.await(Duration.ZERO));
            other.signal.raise();
            assertEquals(1, poller.await(LONG));
            assertTrue(other.isReady());
            assertFalse(source.isReady());
            poller.remove(other);
            assertEquals(0, poller.await(Duration.ofMillis(5)));
        }
        source.close();
        other.close();
    }

    @Test
    void shouldNoticeASourceThatIsAddedWhileWaiting() throws CompletionException {
        Poller poller = source.newPoller();
        CompletableFuture<Object> done = waiter(new Thread[1], false, () -> assertEquals(1, poller.await(LONG)));
        source.signal.raise();
        poller.add(source);
        assertEquals("returned", done.join());
        poller.close();
        source.close();
    }

    @Test
    void shouldWakeAPollerWhenItOrASourceIsClosed() {
        Poller poller = Poller.of(source);
        CompletableFuture<Object> done = waiter(new Thread[1], false, () -> poller.await(LONG));
        source.close();
        assertEquals(Errno.EBADF, done.join());
        Poller empty = NativePoller.open();
        CompletableFuture<Object> second = waiter(new Thread[1], false, () -> empty.await(LONG));
        empty.close();
        assertEquals(Errno.EBADF, second.join());
        poller.close();
        empty.close();
    }
}
