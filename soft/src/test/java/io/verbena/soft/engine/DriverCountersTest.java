package io.verbena.soft.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.soft.net.Loopback;
import io.verbena.soft.net.Wires;
import io.verbena.soft.os.NanoClock;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// What a device's thread does beside the program is counted.
@Timeout(60)
class DriverCountersTest {
    private static final long LIMIT_NS = Duration.ofSeconds(30).toNanos();

    private final Engine engine =
            new Engine(Wires.open(Loopback.next()), NanoClock.SYSTEM, new Random(1), 16, null, null);

    @AfterEach
    void close() {
        engine.driver().stop();
        engine.close();
    }

    private long count(Counter counter) {
        return engine.counters().get(counter);
    }

    private static void await(BooleanSupplier condition) {
        long end = System.nanoTime() + LIMIT_NS;
        while (!condition.getAsBoolean()) {
            assertTrue(System.nanoTime() - end < 0, "not within 30 s");
            LockSupport.parkNanos(1_000_000);
        }
    }

    @Test
    void shouldCountATakeoverWhenNoProgramPolls() {
        engine.driver().start("test");
        await(() -> count(Counter.DEVICE_THREAD_TAKEOVERS) == 1);
        assertEquals(0, count(Counter.SLEEPERS_WOKEN));
    }

    @Test
    void shouldCountAWakeUpAndChecksWhenTheProgramPollsAgain() {
        engine.driver().start("test");
        await(() -> count(Counter.DEVICE_THREAD_TAKEOVERS) >= 1);
        await(() -> {
            engine.poll(false);
            return count(Counter.SLEEPERS_WOKEN) >= 1 && count(Counter.DEVICE_THREAD_CHECKS) >= 1;
        });
    }

    @Test
    void shouldCountTimersThatExpire() {
        boolean[] expired = new boolean[1];
        engine.execute(() -> engine.timers().arm(Timer.running(_ -> expired[0] = true), engine.nowNs()));
        await(() -> {
            engine.poll(false);
            return expired[0];
        });
        assertEquals(1, count(Counter.TIMERS_EXPIRED));
    }

    @Test
    void shouldCountAPollThatFindsAnotherThreadInTheEngine() throws Exception {
        engine.execute(() -> {
            Thread other = Thread.ofPlatform().start(() -> engine.poll(false));
            try {
                other.join();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        });
        assertEquals(1, count(Counter.ENGINE_BUSY));
    }
}
