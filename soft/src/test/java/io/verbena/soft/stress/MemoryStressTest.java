package io.verbena.soft.stress;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.soft.engine.Counter;
import io.verbena.soft.rig.ConnectionEnd;
import io.verbena.soft.rig.LoopbackPair;
import io.verbena.verbs.MemoryRegion;
import io.verbena.verbs.QueuePair;
import io.verbena.verbs.QueuePairChange;
import io.verbena.verbs.QueuePairOptions;
import io.verbena.verbs.SendRequest;
import io.verbena.verbs.SharedReceiveQueue;
import io.verbena.verbs.attr.Access;
import io.verbena.verbs.attr.AddressVector;
import io.verbena.verbs.attr.CompletionStatus;
import io.verbena.verbs.attr.QueuePairState;
import io.verbena.verbs.attr.SharedReceiveQueueOptions;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

/// Memory and receives that go away, or are shared, while the network uses them. How to run it for longer:
/// [StressLoop].
class MemoryStressTest {
    private static final int ROUNDS = 10;
    private static final int BYTES = 64 * 1024;
    private static final Set<CompletionStatus> EXPECTED = EnumSet.of(
            CompletionStatus.SUCCESS,
            CompletionStatus.REMOTE_ACCESS_ERROR,
            CompletionStatus.LOCAL_PROTECTION_ERROR,
            CompletionStatus.WORK_REQUEST_FLUSHED);

    private static void pause(Random random) {
        LockSupport.parkNanos(random.nextInt(2_000_000));
    }

    /// Either side's region is closed in the middle of large WRITEs and READs: the request fails, and that is
    /// all.
    @Test
    void shouldFailRequestsWhoseMemoryIsClosedUnderThem() throws Exception {
        StressLoop.run(ROUNDS, (random, name) -> {
            try (LoopbackPair pair = new LoopbackPair(4096)) {
                MemoryRegion near = pair.left.pd.allocate(BYTES, Access.LOCAL_WRITE);
                MemoryRegion far =
                        pair.right.pd.allocate(BYTES, Access.LOCAL_WRITE, Access.REMOTE_READ, Access.REMOTE_WRITE);
                MemoryRegion victim = random.nextBoolean() ? near : far;
                boolean read = random.nextBoolean();
                AtomicBoolean stop = new AtomicBoolean();
                long address = far.address();
                int rkey = far.rkey();
                int lkey = near.lkey();
                long from = near.address();
                new RacingThreads()
                        .add("requester", () -> {
                            SendRequest request = pair.left.qp.newSendRequest().signaled();
                            (read ? request.read(address, rkey) : request.write(address, rkey))
                                    .fromAddress(from, BYTES, lkey);
                            int open = 0;
                            while (!stop.get() || open > 0) {
                                if (open < 8 && !stop.get() && pair.left.qp.post(request)) {
                                    open++;
                                }
                                open -= pair.left.cq.poll(
                                        completion -> {
                                            assertTrue(EXPECTED.contains(completion.status()), completion::toString);
                                            if (completion.status() != CompletionStatus.SUCCESS) {
                                                stop.set(true);
                                            }
                                        },
                                        8);
                            }
                        })
                        .add("closer", () -> {
                            pause(random);
                            victim.close();
                        })
                        .run(name);
                assertEquals(QueuePairState.ERR, pair.left.qp.state(), name);
                assertEquals(0, pair.left.counter(Counter.ENGINE_FAULTS), name);
                assertEquals(0, pair.right.counter(Counter.ENGINE_FAULTS), name);
            }
        });
    }

    /// Several queue pairs take receives that several threads post, and one of them is closed meanwhile: each
    /// receive is used once, and the others go on.
    @Test
    void shouldUseEachSharedReceiveOnce() throws Exception {
        StressLoop.run(ROUNDS, (random, name) -> {
            try (LoopbackPair pair = new LoopbackPair(4096)) {
                SharedReceiveQueue shared = pair.right.pd.createSharedReceiveQueue(SharedReceiveQueueOptions.of(32));
                List<QueuePair> senders = new ArrayList<>();
                List<QueuePair> receivers = new ArrayList<>();
                for (int i = 0; i < 3; i++) {
                    QueuePair from = pair.left.pd.createQueuePair(QueuePairOptions.rc(pair.left.cq));
                    QueuePair to = pair.right.pd.createQueuePair(
                            QueuePairOptions.rc(pair.right.cq).sharedReceiveQueue(shared));
                    connect(from, pair.right, to);
                    connect(to, pair.left, from);
                    senders.add(from);
                    receivers.add(to);
                }
                share(pair, shared, senders, receivers, random, name);
                assertEquals(0, pair.right.counter(Counter.ENGINE_FAULTS), name);
            }
        });
    }

    private static void connect(QueuePair qp, ConnectionEnd host, QueuePair peer) {
        ConnectionEnd.initialise(qp);
        qp.modify(QueuePairChange.toRtr(AddressVector.to(host.address), peer.number(), 1));
        qp.modify(QueuePairChange.toRts(1).timeout(16));
    }

    private static void share(
            LoopbackPair pair,
            SharedReceiveQueue shared,
            List<QueuePair> senders,
            List<QueuePair> receivers,
            Random random,
            String name)
            throws InterruptedException {
        int messages = 200;
        AtomicInteger nextReceive = new AtomicInteger();
        AtomicInteger delivered = new AtomicInteger();
        AtomicBoolean stop = new AtomicBoolean();
        Set<Long> used = ConcurrentHashMap.newKeySet();
        RacingThreads threads = new RacingThreads();
        for (int i = 0; i < 2; i++) {
            threads.add("poster " + i, () -> {
                while (!stop.get()) {
                    int id = nextReceive.getAndIncrement();
                    var request = shared.newReceiveRequest().wrId(id).empty();
                    while (!stop.get() && !shared.post(request)) {
                        Thread.yield();
                    }
                }
            });
        }
        threads.add("receiver", () -> {
            while (!stop.get()) {
                pair.right.cq.poll(
                        completion -> {
                            assertEquals(CompletionStatus.SUCCESS, completion.status(), completion::toString);
                            assertTrue(used.add(completion.wrId()), () -> "twice: " + completion);
                            delivered.incrementAndGet();
                        },
                        8);
            }
        });
        threads.add("closer", () -> {
            pause(random);
            receivers.getFirst().close();
            senders.getFirst().modify(QueuePairChange.to(QueuePairState.ERR)); // rather than wait for its retries
        });
        threads.add("sender", () -> {
            int[] sent = new int[senders.size()];
            AtomicInteger ended = new AtomicInteger();
            int posted = 0;
            while (sent[1] < messages || sent[2] < messages || ended.get() < posted) {
                for (int i = 0; i < sent.length; i++) {
                    QueuePair qp = senders.get(i);
                    if (sent[i] < messages
                            && qp.state() == QueuePairState.RTS
                            && qp.post(qp.newSendRequest().send().empty().signaled())) {
                        sent[i]++;
                        posted++;
                    }
                }
                pair.left.cq.poll(completion -> ended.incrementAndGet(), 16);
            }
            stop.set(true);
        });
        threads.run(name);
        assertTrue(delivered.get() >= 2 * messages - 32, name + ": " + delivered + " messages delivered");
    }
}
