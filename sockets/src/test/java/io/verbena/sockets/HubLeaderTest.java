package io.verbena.sockets;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetAddress;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;

/// Who sleeps at the device for all who wait.
class HubLeaderTest {
    private static final long LIMIT_NS = TimeUnit.SECONDS.toNanos(20);

    /// Less than the thread of a hub rests while another thread leads.
    private static final long SOON_NS = TimeUnit.SECONDS.toNanos(10);

    /// Waits until a test says that it is ready.
    private static final class Told extends Waiter {
        private final boolean canLead;
        private final boolean isReadyWhenWoken;
        private volatile boolean isReady;

        Told(boolean canLead, boolean isReadyWhenWoken) {
            this.canLead = canLead;
            this.isReadyWhenWoken = isReadyWhenWoken;
        }

        @Override
        boolean isReady() {
            return isReady;
        }

        @Override
        boolean canLead() {
            return canLead;
        }

        @Override
        void wake() {
            isReady |= isReadyWhenWoken;
            super.wake();
        }

        void finish() {
            isReady = true;
            wake();
        }
    }

    /// A thread that waits at the hub.
    private static final class Waiting {
        private volatile Told waiter;
        private final Thread thread;

        Waiting(Hub hub, boolean isReadyWhenWoken) throws InterruptedException {
            thread = Thread.ofPlatform().daemon().start(() -> {
                waiter = new Told(true, isReadyWhenWoken);
                hub.await(waiter, System.nanoTime() + LIMIT_NS);
            });
            await(() -> waiter != null, LIMIT_NS);
        }
    }

    private static boolean await(BooleanSupplier condition, long limitNs) throws InterruptedException {
        long startNs = System.nanoTime();
        while (!condition.getAsBoolean() && System.nanoTime() - startNs < limitNs) {
            Thread.sleep(1);
        }
        return condition.getAsBoolean();
    }

    /// One thread leads and another follows. What both waited for comes at once. A third cannot lead: it relies on
    /// others.
    @Test
    void shouldHaveALeaderAfterTheNextOneHasNothingToWaitForAnyMore() throws Exception {
        Hub hub = Hubs.at(InetAddress.ofLiteral("127.0.78.13"));
        Waiting first = new Waiting(hub, false);
        assertTrue(await(() -> hub.hasLeader() && hub.thread().isResting(), LIMIT_NS), "a thread of the program leads");
        Waiting second = new Waiting(hub, true);
        assertTrue(await(hub::hasFollowers, LIMIT_NS), "a thread follows");
        Told third = new Told(false, false);
        hub.beginFollow(third);
        try {
            first.waiter.finish();
            first.thread.join(TimeUnit.NANOSECONDS.toMillis(LIMIT_NS));
            second.thread.join(TimeUnit.NANOSECONDS.toMillis(LIMIT_NS));
            assertTrue(second.waiter.isReady(), "the follower was woken");
            assertTrue(await(hub::hasLeader, SOON_NS), "the thread of the hub leads for the third");
        } finally {
            hub.endFollow(third);
        }
    }
}
