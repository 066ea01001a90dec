package io.verbena.soft.cq;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.soft.rig.LoopbackPair;
import io.verbena.verbs.SendRequest;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/// A queue that is resized while one thread posts and others poll loses, doubles and reorders nothing.
class ResizeUnderLoadTest {
    private static final int WRITES = 20_000;
    private static final long PATIENCE_S = 60;

    @Test
    void shouldReportEveryRequestOnce() throws InterruptedException {
        try (LoopbackPair pair = new LoopbackPair(64)) {
            AtomicLong done = new AtomicLong();
            AtomicLong sum = new AtomicLong();
            AtomicReference<Throwable> failure = new AtomicReference<>();
            CountDownLatch ended = new CountDownLatch(4);
            start(ended, failure, () -> post(pair));
            for (int i = 0; i < 2; i++) {
                start(ended, failure, () -> {
                    while (done.get() < WRITES && failure.get() == null) {
                        pair.left.cq.poll(
                                completion -> {
                                    // Under the queue's poll lock, so in order whoever polls.
                                    long expected = done.getAndIncrement();
                                    if (!completion.isSuccess() || completion.wrId() != expected) {
                                        throw new AssertionError(completion + " instead of " + expected);
                                    }
                                    sum.addAndGet(completion.wrId());
                                },
                                7);
                    }
                });
            }
            start(ended, failure, () -> {
                for (int i = 0; done.get() < WRITES && failure.get() == null; i++) {
                    pair.left.cq.resize(64 << i % 6);
                    Thread.yield();
                }
            });
            assertTrue(ended.await(PATIENCE_S, TimeUnit.SECONDS), () -> done + " of " + WRITES);
            assertNull(failure.get(), () -> String.valueOf(failure.get()));
            assertEquals((long) WRITES * (WRITES - 1) / 2, sum.get());
        }
    }

    private static void post(LoopbackPair pair) {
        SendRequest request = pair.left
                .qp
                .newSendRequest()
                .write(pair.right.memory.remote())
                .from(pair.left.memory, 0, 8)
                .signaled();
        for (int i = 0; i < WRITES; i++) {
            while (!pair.left.qp.post(request.wrId(i))) {
                Thread.onSpinWait();
            }
        }
    }

    private static void start(CountDownLatch ended, AtomicReference<Throwable> failure, Runnable task) {
        Thread.ofPlatform().daemon().start(() -> {
            try {
                task.run();
            } catch (Throwable e) {
                failure.compareAndSet(null, e);
            } finally {
                ended.countDown();
            }
        });
    }
}
