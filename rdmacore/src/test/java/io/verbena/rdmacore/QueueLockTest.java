package io.verbena.rdmacore;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class QueueLockTest {
    /// More virtual threads than there are processors to run them.
    @Test
    void shouldLetWhoClosesPassVirtualThreadsThatLoop() throws InterruptedException {
        QueueLock lock = new QueueLock();
        boolean[] closed = {false};
        AtomicInteger inside = new AtomicInteger();
        List<Thread> loops = new ArrayList<>();
        for (int i = 0; i < 2 * Runtime.getRuntime().availableProcessors() + 1; i++) {
            loops.add(Thread.startVirtualThread(() -> {
                boolean end = false;
                while (!end) {
                    lock.lock();
                    try {
                        inside.incrementAndGet();
                        end = closed[0];
                    } finally {
                        inside.decrementAndGet();
                        lock.unlock();
                    }
                }
            }));
        }
        lock.close(() -> {
            assertEquals(0, inside.get());
            closed[0] = true;
        });
        for (Thread loop : loops) {
            assertTrue(loop.join(Duration.ofSeconds(30)));
        }
    }

    @Test
    void shouldLetWhoIsInsideInAgainWhileAnotherWantsToClose() throws InterruptedException {
        QueueLock lock = new QueueLock();
        lock.lock();
        Thread closer = Thread.ofPlatform().start(() -> lock.close(() -> {}));
        while (closer.getState() != Thread.State.TIMED_WAITING) {
            Thread.onSpinWait();
        }
        lock.lock();
        lock.unlock();
        lock.unlock();
        assertTrue(closer.join(Duration.ofSeconds(30)));
        lock.close(() -> lock.close(() -> {}));
    }

    @Test
    void shouldLetOneThreadInAtATime() throws InterruptedException {
        QueueLock lock = new QueueLock();
        long[] count = {0};
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            threads.add(Thread.ofPlatform().start(() -> {
                for (int round = 0; round < 50_000; round++) {
                    lock.lock();
                    lock.lock();
                    count[0]++;
                    lock.unlock();
                    count[0]++;
                    lock.unlock();
                }
            }));
        }
        for (Thread thread : threads) {
            assertTrue(thread.join(Duration.ofSeconds(60)));
        }
        assertEquals(4 * 2 * 50_000, count[0]);
    }

    @Test
    void shouldKeepTheInterruptOfAThreadThatWaits() throws InterruptedException {
        QueueLock lock = new QueueLock();
        boolean[] interrupted = {false};
        lock.lock();
        Thread waiting = Thread.ofPlatform().start(() -> {
            lock.lock();
            lock.unlock();
            interrupted[0] = Thread.currentThread().isInterrupted();
        });
        waiting.interrupt();
        while (waiting.getState() != Thread.State.TIMED_WAITING) {
            Thread.onSpinWait();
        }
        lock.unlock();
        assertTrue(waiting.join(Duration.ofSeconds(30)));
        assertTrue(interrupted[0]);
    }
}
