package io.verbena.soft;

import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.soft.fabric.SimulatedFabric;
import io.verbena.verbs.CompletionChannel;
import io.verbena.verbs.CompletionQueue;
import io.verbena.verbs.Context;
import io.verbena.verbs.ProtectionDomain;
import io.verbena.verbs.SharedReceiveQueue;
import io.verbena.verbs.attr.SharedReceiveQueueOptions;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/// Two threads that close the same things in the same order: each of them can close a parent after its children,
/// whichever thread closed the children.
class CloseTwiceTest {
    private static final int ROUNDS = 2_000;

    @Test
    void shouldCloseParentsAfterChildrenInBothThreads() throws Exception {
        Context context = new SimulatedFabric(1).host("10.0.0.1").device().open();
        AtomicReference<Throwable> failure = new AtomicReference<>();
        for (int round = 0; round < ROUNDS && failure.get() == null; round++) {
            ProtectionDomain domain = context.allocateProtectionDomain();
            SharedReceiveQueue receives = domain.createSharedReceiveQueue(SharedReceiveQueueOptions.of(1));
            CompletionChannel channel = context.createCompletionChannel();
            CompletionQueue completions = context.createCompletionQueue(1, channel);
            AutoCloseable[] inOrder = {receives, domain, completions, channel};
            CyclicBarrier together = new CyclicBarrier(2);
            CountDownLatch ended = new CountDownLatch(2);
            for (int i = 0; i < 2; i++) {
                Thread.ofVirtual().start(() -> {
                    try {
                        together.await();
                        for (AutoCloseable one : inOrder) {
                            one.close();
                        }
                    } catch (Throwable e) {
                        failure.compareAndSet(null, e);
                    } finally {
                        ended.countDown();
                    }
                });
            }
            assertTrue(ended.await(30, TimeUnit.SECONDS), "closing ends");
        }
        assertNull(failure.get(), () -> String.valueOf(failure.get()));
        context.close();
    }
}
