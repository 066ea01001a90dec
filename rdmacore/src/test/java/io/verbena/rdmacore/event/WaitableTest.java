package io.verbena.rdmacore.event;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.rdmacore.lib.DescriptorSet;
import io.verbena.rdmacore.lib.Libc;
import io.verbena.rdmacore.lib.Timer;
import io.verbena.verbs.Errno;
import io.verbena.verbs.Pollable;
import io.verbena.verbs.Poller;
import io.verbena.verbs.RdmaException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class WaitableTest {
    private static final Duration LONG = Duration.ofSeconds(30);
    private static final long SOON = 1;

    private final Timer timer = new Timer();
    private final DescriptorSet set = new DescriptorSet(timer.fd());
    private final Waitable waitable = new Waitable("test", set.fd());

    private record Channel(Waitable waitable) implements Pollable, WaitSource {
        @Override
        public boolean isReady() {
            return waitable.isReady();
        }

        @Override
        public Poller newPoller() {
            return new NativePoller();
        }
    }

    @AfterEach
    void close() {
        waitable.close();
        set.close();
        timer.close();
    }

    private static Errno errno(CompletableFuture<?> call) throws Exception {
        ExecutionException e = assertThrows(ExecutionException.class, () -> call.get(20, TimeUnit.SECONDS));
        return ((RdmaException) e.getCause()).errno();
    }

    @Test
    void shouldBeReadyOnceTheTimerIsOverAndUntilItIsSetAgain() {
        assertFalse(waitable.isReady());
        assertFalse(waitable.await(Duration.ZERO));
        timer.set(SOON);
        assertTrue(waitable.await(LONG));
        assertTrue(waitable.isReady());
        timer.set(LONG.toNanos());
        assertFalse(waitable.isReady());
        timer.set(-5);
        assertTrue(waitable.await(LONG));
        timer.clear();
        assertFalse(waitable.isReady());
    }

    @Test
    void shouldReturnWhenTheTimeIsOver() {
        assertFalse(waitable.await(Duration.ofMillis(3)));
    }

    @Test
    void shouldWakeThreadsWhenClosed() throws Exception {
        CompletableFuture<Boolean> platform = CompletableFuture.supplyAsync(() -> waitable.await(LONG));
        CompletableFuture<Boolean> virtual = new CompletableFuture<>();
        Thread.ofVirtual().start(() -> {
            try {
                virtual.complete(waitable.await(LONG));
            } catch (RuntimeException e) {
                virtual.completeExceptionally(e);
            }
        });
        waitable.close();
        assertEquals(Errno.EBADF, errno(platform));
        assertEquals(Errno.EBADF, errno(virtual));
        assertFalse(waitable.isReady());
        assertTrue(waitable.isClosed());
    }

    @Test
    void shouldThrowWhenTheThreadIsInterrupted() {
        Thread.currentThread().interrupt();
        RdmaException e = assertThrows(RdmaException.class, () -> waitable.await(LONG));
        assertEquals(Errno.EINTR, e.errno());
        assertFalse(Thread.currentThread().isInterrupted());
    }

    @Test
    void shouldWaitForSeveralAndForThoseAddedMeanwhile() throws Exception {
        Waitable never = new Waitable("never", -1);
        try (Poller poller = Poller.of(new Channel(never))) {
            CompletableFuture<Integer> waiting = CompletableFuture.supplyAsync(() -> poller.await(LONG));
            timer.set(SOON);
            poller.add(new Channel(waitable));
            assertEquals(1, waiting.get(20, TimeUnit.SECONDS));
            poller.remove(new Channel(waitable));
            assertEquals(0, poller.await(Duration.ofMillis(1)));
        } finally {
            never.close();
        }
    }

    @Test
    void shouldWakePollerWhenItOrAMemberIsClosed() throws Exception {
        Poller poller = Poller.of(new Channel(waitable));
        CompletableFuture<Integer> first = CompletableFuture.supplyAsync(() -> poller.await(LONG));
        waitable.close();
        assertEquals(Errno.EBADF, errno(first));
        poller.remove(new Channel(waitable));
        CompletableFuture<Integer> second = CompletableFuture.supplyAsync(() -> poller.await(LONG));
        poller.close();
        assertEquals(Errno.EBADF, errno(second));
    }

    @Test
    void shouldRefuseChannelsOfOtherProviders() {
        Pollable stranger = new Pollable() {
            @Override
            public boolean isReady() {
                return true;
            }

            @Override
            public Poller newPoller() {
                return new NativePoller();
            }
        };
        RdmaException e = assertThrows(RdmaException.class, () -> Poller.of(stranger));
        assertEquals(Errno.EINVAL, e.errno());
    }

    @Test
    void shouldLeaveNoDescriptorBehind() {
        int before = Libc.eventfd();
        Libc.close(before);
        new Waitable("test", -1).close();
        int after = Libc.eventfd();
        Libc.close(after);
        assertEquals(before, after);
    }
}
