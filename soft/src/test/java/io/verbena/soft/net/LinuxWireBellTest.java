package io.verbena.soft.net;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.soft.fault.FaultPlan;
import io.verbena.soft.option.Offload;
import io.verbena.soft.os.Bell;
import io.verbena.soft.os.NanoClock;
import java.net.InetAddress;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/// A bell wakes a thread that sleeps on a wire.
@EnabledOnOs(OS.LINUX)
class LinuxWireBellTest {
    private static final long LONG_NS = Duration.ofSeconds(60).toNanos();
    private static final Duration SOON = Duration.ofSeconds(20);

    private final InetAddress here = Loopback.next();
    private Wire wire;
    private Bell bell;
    private Bell handle;

    @BeforeEach
    void open() {
        wire = new LinuxWire(here, LocalInterface.maxPayload(here), Offload.ALL);
        bell = Bell.create();
        handle = Bell.open(ProcessHandle.current().pid(), bell.ringFd());
        wire.listenTo(bell);
        wire.await(0); // takes the wakeup that tells of the bell
    }

    @AfterEach
    void close() {
        handle.close();
        bell.close();
        wire.close();
    }

    @Test
    void shouldReturnAtOnceWhenRungBeforeAndForgetAllRings() {
        for (int i = 0; i < 10_000; i++) {
            handle.ring();
        }
        assertTrue(await(LONG_NS).compareTo(SOON) < 0);
        assertTrue(await(20_000_000).toMillis() >= 19, "one wait takes all rings before it");
    }

    @Test
    void shouldReturnWhenRungMeanwhile() throws InterruptedException {
        Thread ringer = Thread.ofPlatform().start(() -> {
            sleep(50);
            handle.ring();
        });
        assertTrue(await(LONG_NS).compareTo(SOON) < 0);
        ringer.join();
    }

    @Test
    void shouldStillHearFramesAndWakeups() {
        Frames.send(wire, here, 1, 64);
        assertTrue(await(LONG_NS).compareTo(SOON) < 0);
        assertEquals(1, wire.receive(new Frames(), 1));
        wire.wakeup();
        assertTrue(await(LONG_NS).compareTo(SOON) < 0);
        assertTrue(await(20_000_000).toMillis() >= 19);
    }

    @Test
    void shouldWakeSleeperOfBellThatIsClosedAndForgetIt() throws InterruptedException {
        Thread closer = Thread.ofPlatform().start(() -> {
            sleep(50);
            bell.close();
        });
        assertTrue(await(LONG_NS).compareTo(SOON) < 0);
        closer.join();
        handle.ring();
        assertTrue(await(20_000_000).toMillis() >= 19);
    }

    @Test
    void shouldTellOnceWhenTheMakerOfAWatchedBellHasEnded() throws InterruptedException {
        AtomicInteger ended = new AtomicInteger();
        Bell another = Bell.create();
        try (Bell watched = Bell.open(ProcessHandle.current().pid(), another.ringFd())) {
            assertTrue(wire.watch(handle, ended::incrementAndGet));
            assertTrue(wire.watch(watched, ended::incrementAndGet));
            wire.await(0); // takes the wakeup that tells of the watch
            assertTrue(await(20_000_000).toMillis() >= 19, "nobody has ended");
            Thread closer = Thread.ofPlatform().start(() -> {
                sleep(50);
                another.close();
            });
            assertTrue(await(LONG_NS).compareTo(SOON) < 0);
            closer.join();
            assertEquals(1, ended.get());
            assertTrue(await(20_000_000).toMillis() >= 19, "told already");
            assertEquals(1, ended.get());
        }
    }

    @Test
    void shouldForgetWatchedBellThatIsClosedHere() {
        AtomicInteger ended = new AtomicInteger();
        assertTrue(wire.watch(handle, ended::incrementAndGet));
        wire.await(0);
        handle.close();
        bell.close();
        wire.await(0); // takes the ring by which a bell wakes its own listeners
        assertTrue(await(20_000_000).toMillis() >= 19);
        assertEquals(0, ended.get());
    }

    @Test
    void shouldHearBellThroughWireAround() {
        Wire around = new FaultyWire(wire, FaultPlan.parse("loss=0.5"), NanoClock.SYSTEM);
        assertTrue(around.canListen());
        around.listenTo(bell);
        wire.await(0);
        handle.ring();
        assertTrue(await(LONG_NS).compareTo(SOON) < 0);
    }

    @Test
    void shouldRefuseBellWhereNoneCanBeHeard() {
        try (Wire deaf = new UdpWire(Loopback.next(), 1024)) {
            assertFalse(deaf.canListen());
            assertThrows(UnsupportedOperationException.class, () -> deaf.listenTo(bell));
        }
    }

    private Duration await(long timeoutNs) {
        long start = System.nanoTime();
        wire.await(timeoutNs);
        return Duration.ofNanos(System.nanoTime() - start);
    }

    private static void sleep(long ms) {
        try {
            Thread.sleep(ms);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
