package io.verbena.soft.net;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetAddress;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// The contract of both wires on real sockets for threads that sleep on them. Times are generous upwards: the machine
/// may be busy.
abstract class WaitContract {
    private static final long LONG_NS = Duration.ofSeconds(60).toNanos();
    private static final Duration SOON = Duration.ofSeconds(20);

    private final InetAddress here = Loopback.next();
    private Wire wire;

    abstract Wire open(InetAddress local);

    @BeforeEach
    void openWire() {
        wire = open(here);
    }

    @AfterEach
    void closeWire() {
        wire.close();
    }

    @Test
    void shouldWaitAsLongAsAsked() {
        assertTrue(await(50_000_000).toMillis() >= 49);
        assertTrue(await(300_000).toNanos() >= 290_000);
        assertTrue(await(0).compareTo(SOON) < 0);
        assertTrue(await(-1).compareTo(SOON) < 0);
    }

    @Test
    void shouldReturnWhenFrameIsThere() {
        Frames.send(wire, here, 1, 64);
        assertTrue(await(LONG_NS).compareTo(SOON) < 0);
        assertEquals(1, wire.receive(new Frames(), 1));
    }

    @Test
    void shouldReturnAtOnceWhenWokenBefore() {
        wire.wakeup();
        wire.wakeup();
        assertTrue(await(LONG_NS).compareTo(SOON) < 0);
        assertTrue(await(20_000_000).toMillis() >= 19, "one wait takes all wakeups before it");
        wire.wakeup();
        assertTrue(await(LONG_NS).compareTo(SOON) < 0);
    }

    @Test
    void shouldReturnWhenWokenMeanwhile() throws InterruptedException {
        Thread waker = soon(wire::wakeup);
        assertTrue(await(LONG_NS).compareTo(SOON) < 0);
        waker.join();
    }

    @Test
    void shouldLoseNoWakeup() throws InterruptedException {
        int[] turn = {0};
        Thread sleeper = Thread.ofPlatform().start(() -> {
            for (int i = 0; i < 2_000; i++) {
                wire.await(LONG_NS);
                synchronized (turn) {
                    turn[0]++;
                    turn.notifyAll();
                }
            }
        });
        for (int i = 0; i < 2_000; i++) {
            wire.wakeup();
            synchronized (turn) {
                while (turn[0] <= i) {
                    turn.wait(SOON.toMillis());
                }
            }
        }
        sleeper.join(SOON);
        assertEquals(2_000, turn[0]);
    }

    @Test
    void shouldReturnWhenClosedAndFreeTheAddressAtOnce() throws InterruptedException {
        for (int i = 0; i < 50; i++) {
            Wire sleepy = wire;
            CountDownLatch started = new CountDownLatch(1);
            Thread sleeper = Thread.ofPlatform().start(() -> {
                started.countDown();
                sleepy.await(LONG_NS);
            });
            started.await();
            if (i % 2 == 0) {
                Thread.sleep(1);
            }
            wire.close();
            wire = open(here);
            sleeper.join(SOON);
            assertTrue(!sleeper.isAlive());
        }
    }

    private Duration await(long timeoutNs) {
        long start = System.nanoTime();
        wire.await(timeoutNs);
        return Duration.ofNanos(System.nanoTime() - start);
    }

    private static Thread soon(Runnable task) {
        return Thread.ofPlatform().start(() -> {
            try {
                Thread.sleep(50);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            task.run();
        });
    }
}
