package io.verbena.soft.device;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.soft.engine.Engine;
import io.verbena.soft.net.Loopback;
import io.verbena.soft.net.Wires;
import io.verbena.soft.option.SoftOptions;
import io.verbena.soft.option.SoftProperties;
import io.verbena.soft.os.NanoClock;
import io.verbena.soft.rig.LoopbackPair;
import io.verbena.soft.wait.Waiter;
import io.verbena.verbs.Errno;
import io.verbena.verbs.RdmaException;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// A thread that waits spins for a while before it sleeps. The test's clock advances with each poll.
@Timeout(60)
class SpinTest {
    private static final long SPIN_NS = 50_000;

    private final AtomicLong nowNs = new AtomicLong();
    private long stepNs = 1_000;
    private final NanoClock clock = () -> nowNs.getAndAdd(stepNs);
    private final Engine engine = new Engine(Wires.open(Loopback.next()), clock, new Random(1), 16, null, null);
    private final AtomicInteger looks = new AtomicInteger();

    @AfterEach
    void close() {
        engine.close();
        System.clearProperty(SoftProperties.SPIN);
    }

    private boolean await(int readyAtLook, long timeoutNs) {
        return new Waiter("test").await(() -> looks.incrementAndGet() >= readyAtLook, timeoutNs, engine);
    }

    @Test
    void shouldSeeWhatComesWhileItSpinsWithoutSleeping() {
        stepNs = 1;
        engine.driver().spin(SPIN_NS);
        assertTrue(await(1_000, Long.MAX_VALUE));
        assertEquals(0, engine.driver().sleeps());
        assertEquals(1_000, looks.get());
    }

    @Test
    void shouldSleepWhenItHasSpunLongEnough() {
        engine.driver().spin(SPIN_NS);
        assertFalse(await(Integer.MAX_VALUE, 100 * SPIN_NS));
        assertTrue(engine.driver().sleeps() > 0);
        assertTrue(nowNs.get() >= 100 * SPIN_NS);
    }

    /// Two polls, one before and one after acknowledgements were sent, and one that decides to sleep.
    @Test
    void shouldSleepAtOnceAtTheNetworkWhereNobodySaysOtherwise() {
        assertTrue(await(4, 1_000_000)); // nobody wakes it
        assertEquals(1, engine.driver().sleeps());
    }

    @Test
    void shouldNotSpinLongerThanItMayWait() {
        engine.driver().spin(SPIN_NS);
        assertFalse(await(Integer.MAX_VALUE, SPIN_NS / 2));
        assertEquals(0, engine.driver().sleeps());
    }

    @Test
    void shouldLeaveTheEngineToOthersBetweenLooks() throws Exception {
        stepNs = 0; // it spins for ever
        engine.driver().spin(SPIN_NS);
        AtomicBoolean done = new AtomicBoolean();
        Thread spinner = Thread.ofPlatform().start(() -> new Waiter("test").await(done::get, Long.MAX_VALUE, engine));
        for (int i = 0; i < 100; i++) {
            engine.execute(() -> {});
        }
        done.set(true);
        spinner.join();
        assertEquals(0, engine.driver().sleeps());
    }

    @Test
    void shouldNoticeAnInterruptWhileItSpins() {
        stepNs = 0;
        engine.driver().spin(SPIN_NS);
        Thread.currentThread().interrupt();
        RdmaException stopped = assertThrows(RdmaException.class, () -> await(Integer.MAX_VALUE, Long.MAX_VALUE));
        assertEquals(Errno.EINTR, stopped.errno());
    }

    @ParameterizedTest
    @CsvSource({"0, 0", "50us, 50000", "700ns, 700", "1ms, 1000000", "1000ms, 1000000000", "'', -1"})
    void shouldTakeATimeFromTheProperty(String text, long ns) {
        System.setProperty(SoftProperties.SPIN, text);
        Duration spin = SoftOptions.defaults().spin();
        assertEquals(ns, spin == null ? -1 : spin.toNanos());
    }

    @ParameterizedTest
    @ValueSource(strings = {"50", "-1us", "1001ms", "999999999ms", "2s", "much", "1.5us"})
    void shouldRefuseToOpenADeviceWithAnythingElse(String text) {
        System.setProperty(SoftProperties.SPIN, text);
        RdmaException failure = assertThrows(RdmaException.class, () -> LoopbackPair.openDevice(Loopback.next()));
        assertEquals(Errno.EINVAL, failure.errno());
        String said = "system property verbena.soft.spin: " + text + "; say 0, or a whole number with ns, us or ms";
        assertTrue(failure.getMessage().contains(said), failure.getMessage());
    }
}
