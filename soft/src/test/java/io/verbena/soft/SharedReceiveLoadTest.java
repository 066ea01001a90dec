package io.verbena.soft;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.soft.net.AllocatedBytes;
import io.verbena.soft.rig.ConnectionEnd;
import io.verbena.soft.rig.LoopbackPair;
import io.verbena.verbs.CompletionQueue;
import io.verbena.verbs.Errno;
import io.verbena.verbs.QueuePair;
import io.verbena.verbs.QueuePairChange;
import io.verbena.verbs.QueuePairOptions;
import io.verbena.verbs.RdmaException;
import io.verbena.verbs.ReceiveRequest;
import io.verbena.verbs.SendRequest;
import io.verbena.verbs.SharedReceiveQueue;
import io.verbena.verbs.WorkCompletionHandler;
import io.verbena.verbs.attr.AddressVector;
import io.verbena.verbs.attr.SharedReceiveQueueOptions;
import java.util.BitSet;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Two queue pairs that take from one shared queue, each with a completion queue of its own, on real sockets.
class SharedReceiveLoadTest {
    private static final int MESSAGES = 20_000;
    private static final long PATIENCE_S = 60;

    private final LoopbackPair pair = new LoopbackPair(4096);
    private final SharedReceiveQueue shared =
            pair.right.pd.createSharedReceiveQueue(new SharedReceiveQueueOptions(64, 1, 0));
    private final CompletionQueue[] received = new CompletionQueue[2];
    private final QueuePair[] senders = new QueuePair[2];

    SharedReceiveLoadTest() {
        for (int i = 0; i < 2; i++) {
            received[i] = pair.right.context.createCompletionQueue(4096);
            QueuePair to = pair.right.pd.createQueuePair(
                    QueuePairOptions.rc(received[i]).sharedReceiveQueue(shared));
            senders[i] = pair.left.pd.createQueuePair(QueuePairOptions.rc(pair.left.cq));
            connect(to, pair.left, senders[i]);
            connect(senders[i], pair.right, to);
        }
    }

    private static void connect(QueuePair qp, ConnectionEnd towards, QueuePair peer) {
        ConnectionEnd.initialise(qp);
        qp.modify(QueuePairChange.toRtr(AddressVector.to(towards.address), peer.number(), 0)
                .minRnrTimer(1));
        qp.modify(QueuePairChange.toRts(0).timeout(16));
    }

    @AfterEach
    void close() {
        pair.close();
    }

    @Test
    void shouldUseEveryReceiveOnceThatSeveralThreadsPost() throws InterruptedException {
        AtomicInteger next = new AtomicInteger();
        AtomicInteger done = new AtomicInteger();
        AtomicBoolean over = new AtomicBoolean();
        AtomicReference<Throwable> failure = new AtomicReference<>();
        BitSet seen = new BitSet();
        CountDownLatch ended = new CountDownLatch(6);
        for (int i = 0; i < 2; i++) {
            start(ended, failure, over, () -> postReceives(next, over));
            QueuePair sender = senders[i];
            CompletionQueue queue = received[i];
            start(ended, failure, over, () -> {
                SendRequest request = sender.newSendRequest().send().empty();
                int posted = 0;
                while (done.get() < MESSAGES && !over.get()) {
                    posted += posted < MESSAGES / 2 && sender.post(request.signaled(posted % 8 == 7)) ? 1 : 0;
                    pair.left.cq.poll(c -> assertTrue(c.isSuccess(), c::toString), 16);
                    queue.poll(
                            completion -> {
                                assertTrue(completion.isSuccess(), completion::toString);
                                synchronized (seen) {
                                    assertTrue(!seen.get((int) completion.wrId()), "twice: " + completion.wrId());
                                    seen.set((int) completion.wrId());
                                }
                                done.incrementAndGet();
                            },
                            16);
                }
            });
        }
        start(ended, failure, over, () -> postReceives(next, over));
        start(ended, failure, over, () -> {
            for (int i = 0; done.get() < MESSAGES && !over.get(); i++) {
                resize(64 << i % 4);
                Thread.yield();
            }
        });
        assertTrue(ended.await(PATIENCE_S, TimeUnit.SECONDS), () -> done + " of " + MESSAGES);
        assertNull(failure.get(), () -> String.valueOf(failure.get()));
        assertEquals(MESSAGES, seen.cardinality());
    }

    private void postReceives(AtomicInteger next, AtomicBoolean over) {
        ReceiveRequest request = shared.newReceiveRequest().empty();
        for (int id = next.getAndIncrement(); id < MESSAGES; id = next.getAndIncrement()) {
            while (!shared.post(request.wrId(id)) && !over.get()) {
                Thread.yield();
            }
        }
    }

    /// Smaller than what is posted just now is refused, and nothing is changed.
    private void resize(int requests) {
        try {
            shared.resize(requests);
        } catch (RdmaException refused) {
            assertEquals(Errno.EINVAL, refused.errno());
        }
    }

    private static void start(
            CountDownLatch ended, AtomicReference<Throwable> failure, AtomicBoolean over, Runnable task) {
        Thread.ofPlatform().daemon().start(() -> {
            try {
                task.run();
            } catch (Throwable e) {
                failure.compareAndSet(null, e);
                over.set(true);
            } finally {
                ended.countDown();
            }
        });
    }

    @Test
    void shouldReceiveWithoutGarbage() {
        SendRequest request = senders[0].newSendRequest().send().from(pair.left.memory, 0, 64);
        ReceiveRequest receive = shared.newReceiveRequest().into(pair.right.memory, 0, 64);
        long[] done = {0};
        WorkCompletionHandler count = completion -> done[0] += completion.isSuccess() ? 1 : 0;
        exchange(request, receive, done, count);
        long least = Long.MAX_VALUE;
        for (int i = 0; i < 5; i++) { // what the JVM allocates for itself, such as for classes, it allocates once
            long before = AllocatedBytes.now();
            exchange(request, receive, done, count);
            least = Math.min(least, AllocatedBytes.now() - before);
        }
        long allocated = least;
        assertTrue(allocated < MESSAGES / 4, () -> allocated + " bytes in " + MESSAGES + " messages");
    }

    private void exchange(SendRequest request, ReceiveRequest receive, long[] done, WorkCompletionHandler count) {
        for (int i = 0; i < MESSAGES; i++) {
            long target = done[0] + 1;
            shared.post(receive);
            senders[0].post(request);
            while (done[0] < target) {
                received[0].poll(count, 1);
                pair.left.cq.poll(count, 1);
            }
        }
    }
}
