package io.verbena.soft.local;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.soft.OverSharedMemory;
import io.verbena.soft.device.SoftContext;
import io.verbena.soft.engine.Driver;
import io.verbena.soft.net.Loopback;
import io.verbena.soft.option.SoftProperties;
import io.verbena.soft.rig.ConnectionEnd;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/// Threads that spin while waiting for messages through shared memory.
@EnabledOnOs(OS.LINUX)
@Timeout(60)
class SpinOverSharedMemoryTest implements OverSharedMemory {
    private static final Duration LONG = Duration.ofSeconds(30);

    /// A machine that is busy may stop a thread for as long as it spins, but not each time.
    private static final int ATTEMPTS = 20;

    private SharedPair pair;

    @AfterEach
    void close() {
        System.clearProperty(SoftProperties.SPIN);
        if (pair != null) {
            pair.close();
        }
    }

    private static Driver driver(ConnectionEnd end) {
        return ((SoftContext) end.context).engines().first().driver();
    }

    /// One message from left to right, which waits for it.
    private void exchange(int number) throws Exception {
        pair.right.receive(number, 0, 64);
        pair.right.cq.arm();
        var waiting = CompletableFuture.supplyAsync(() -> pair.right.channel.await(LONG), Thread.ofPlatform()::start);
        pair.left.send(number, 0, 64);
        assertSame(pair.right.cq, waiting.get(LONG.toSeconds(), TimeUnit.SECONDS));
        while (pair.right.poll() > 0) {
            Thread.onSpinWait();
        }
    }

    @Test
    void shouldSpinALittleOnlyOnceAllConnectionsGoThisWay() {
        pair = new SharedPair(Loopback.next(), Loopback.next());
        assertEquals(0, driver(pair.left).spinNs());
        pair.connect(SharedPair.PATIENT);
        boolean alone = Runtime.getRuntime().availableProcessors() == 1;
        assertEquals(alone ? 0 : 20_000, driver(pair.left).spinNs());
    }

    @Test
    void shouldSeeAMessageWithoutSleepingWhileItSpins() throws Exception {
        System.setProperty(SoftProperties.SPIN, "1000ms");
        pair = new SharedPair(SharedPair.PATIENT);
        boolean awake = false;
        for (int i = 0; i < ATTEMPTS && !awake; i++) {
            long before = driver(pair.right).sleeps();
            exchange(i);
            awake = driver(pair.right).sleeps() == before;
        }
        assertTrue(awake, "it slept each time");
    }

    @Test
    void shouldSleepAndTellItWhereSpinningIsForbidden() throws Exception {
        System.setProperty(SoftProperties.SPIN, "0");
        pair = new SharedPair(SharedPair.PATIENT);
        pair.right.cq.arm();
        assertEquals(null, pair.right.channel.await(Duration.ofMillis(300)));
        assertTrue(driver(pair.right).sleeps() > 0);
        assertTrue(pair.right.context.counters().get("times a waiting thread slept") > 0);
        exchange(1);
    }
}
