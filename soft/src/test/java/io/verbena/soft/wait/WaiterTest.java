package io.verbena.soft.wait;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.soft.engine.Engine;
import io.verbena.soft.net.Loopback;
import io.verbena.soft.net.Wires;
import io.verbena.soft.os.NanoClock;
import io.verbena.verbs.Errno;
import io.verbena.verbs.RdmaException;
import java.time.Duration;
import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// A thread that sleeps on the socket of an engine that has no thread of its own.
class WaiterTest {
    private static final Duration LONG = Duration.ofMinutes(10);

    private static final Duration SOON = Duration.ofSeconds(20);

    private final Engine engine =
            new Engine(Wires.open(Loopback.next()), NanoClock.SYSTEM, new Random(1), 16, null, null);
    private final Waiter waiter = new Waiter("test");
    private final AtomicReference<Object> outcome = new AtomicReference<>();

    @AfterEach
    void close() {
        engine.close();
    }

    private Thread startWaiting(AtomicBoolean ready) {
        Thread thread = Thread.ofPlatform().start(() -> {
            try {
                outcome.set(waiter.await(ready::get, LONG.toNanos(), engine));
            } catch (RuntimeException e) {
                outcome.set(e);
            }
        });
        long start = NanoClock.SYSTEM.nowNs();
        while (Arrays.stream(thread.getStackTrace())
                .noneMatch(frame -> frame.getMethodName().equals("sleepOn"))) {
            assertTrue(NanoClock.SYSTEM.nowNs() - start < SOON.toNanos(), "it never sleeps");
            Thread.onSpinWait();
        }
        return thread;
    }

    private static void join(Thread thread) throws InterruptedException {
        assertTrue(thread.join(SOON), "it still waits");
    }

    @Test
    void shouldNoticeAnInterrupt() throws Exception {
        Thread thread = startWaiting(new AtomicBoolean());
        thread.interrupt();
        join(thread);
        assertEquals(
                Errno.EINTR,
                assertInstanceOf(RdmaException.class, outcome.get()).errno());
    }

    @Test
    void shouldLookAgainWhenItIsSignalled() throws Exception {
        AtomicBoolean ready = new AtomicBoolean();
        Thread thread = startWaiting(ready);
        ready.set(true);
        waiter.signal();
        join(thread);
        assertEquals(true, outcome.get());
    }

    @Test
    void shouldGiveUpWhenTheTimeIsOver() {
        long start = NanoClock.SYSTEM.nowNs();
        assertFalse(waiter.await(() -> false, 120_000_000, engine));
        assertTrue(NanoClock.SYSTEM.nowNs() - start >= 120_000_000);
    }

    @Test
    void shouldNotWaitWhenItIsReadyAtOnce() {
        assertTrue(waiter.await(() -> true, LONG.toNanos(), engine));
    }
}
