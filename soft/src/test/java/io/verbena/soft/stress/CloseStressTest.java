package io.verbena.soft.stress;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.soft.engine.Counter;
import io.verbena.soft.rig.ConnectionEnd;
import io.verbena.soft.rig.LoopbackPair;
import io.verbena.verbs.BadRequestException;
import io.verbena.verbs.Errno;
import io.verbena.verbs.QueuePairChange;
import io.verbena.verbs.RdmaException;
import io.verbena.verbs.SendRequest;
import io.verbena.verbs.attr.QueuePairState;
import java.net.InetAddress;
import java.util.EnumSet;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

/// Threads that post, poll and close at the same time: each accepted request ends once, no thread waits for ever, and
/// late calls fail. How to run it for longer: [StressLoop].
class CloseStressTest {
    private static final int ROUNDS = 15;
    private static final int POSTERS = 3;
    private static final int MOST = 100_000;
    /// The errors of a call on an object that another thread closed.
    private static final Set<Errno> TOO_LATE = EnumSet.of(Errno.EINVAL, Errno.EBADF);

    private static void requireTooLate(RdmaException e) {
        assertTrue(TOO_LATE.contains(e.errno()), () -> "unexpected: " + e);
    }

    private static SendRequest write(LoopbackPair pair, int length) {
        return pair.left
                .qp
                .newSendRequest()
                .write(pair.right.memory.remote())
                .from(pair.left.memory, 0, length)
                .signaled();
    }

    /// Posts until told to stop; returns when the queue pair takes no more because it was closed.
    private static void post(LoopbackPair pair, Ledger sends, AtomicBoolean stop, Random random) {
        SendRequest request = write(pair, random.nextInt(3000));
        while (!stop.get()) {
            int id = sends.next();
            if (id < 0) {
                break;
            }
            sends.taken(id);
            boolean posted = false;
            try {
                posted = pair.left.qp.post(request.wrId(id));
            } catch (BadRequestException closed) {
                stop.set(true);
            } finally {
                if (!posted) {
                    sends.refused(id);
                    Thread.onSpinWait();
                }
            }
        }
        sends.posterEnds();
    }

    private static void poll(ConnectionEnd end, Ledger ledger, AtomicBoolean stop) {
        while (!stop.get()) {
            try {
                if (end.cq.poll(ledger::ended, 16) == 0) {
                    Thread.yield();
                }
            } catch (RdmaException closed) {
                requireTooLate(closed);
                return;
            }
        }
    }

    private static void pause(Random random) {
        LockSupport.parkNanos(random.nextInt(3_000_000));
    }

    @Test
    void shouldEndEachRequestOnceWhenTheQueuePairFailsUnderItsPosters() throws Exception {
        StressLoop.run(ROUNDS, (random, name) -> {
            try (LoopbackPair pair = new LoopbackPair(4096)) {
                Ledger sends = new Ledger(MOST);
                AtomicBoolean stopPosting = new AtomicBoolean();
                AtomicBoolean stopPolling = new AtomicBoolean();
                RacingThreads threads = new RacingThreads();
                for (int i = 0; i < POSTERS; i++) {
                    Random own = new Random(random.nextLong());
                    sends.addPoster();
                    threads.add("poster " + i, () -> post(pair, sends, stopPosting, own));
                }
                threads.add("poller 1", () -> poll(pair.left, sends, stopPolling));
                threads.add("poller 2", () -> poll(pair.left, sends, stopPolling));
                threads.add("breaker", () -> {
                    pause(random);
                    pair.left.qp.modify(QueuePairChange.to(QueuePairState.ERR));
                    pause(random);
                    stopPosting.set(true);
                    while (!sends.isSettled()) {
                        Thread.yield();
                    }
                    stopPolling.set(true);
                });
                threads.run(name);
                sends.assertEachEndedOnce();
                assertEquals(0, pair.left.counter(Counter.ENGINE_FAULTS), name);
            }
        });
    }

    @Test
    void shouldTellPostersWhenTheQueuePairIsClosedUnderThem() throws Exception {
        StressLoop.run(ROUNDS, (random, name) -> {
            try (LoopbackPair pair = new LoopbackPair(4096)) {
                Ledger sends = new Ledger(MOST);
                AtomicBoolean stopPosting = new AtomicBoolean();
                AtomicBoolean stopPolling = new AtomicBoolean();
                RacingThreads threads = new RacingThreads();
                for (int i = 0; i < POSTERS; i++) {
                    Random own = new Random(random.nextLong());
                    threads.add("poster " + i, () -> post(pair, sends, stopPosting, own));
                }
                threads.add("poller", () -> poll(pair.left, sends, stopPolling));
                threads.add("closer", () -> {
                    pause(random);
                    pair.left.qp.close();
                    pair.left.cq.close();
                    assertThrows(
                            BadRequestException.class, () -> pair.left.qp.post(write(pair, 8)), "a closed queue pair");
                    stopPosting.set(true);
                    stopPolling.set(true);
                });
                threads.run(name);
                sends.assertNoneEndedTwice();
                assertEquals(0, pair.left.counter(Counter.ENGINE_FAULTS), name);
            }
        });
    }

    @Test
    void shouldCloseEverythingUnderThreadsThatPostPollAndWait() throws Exception {
        StressLoop.run(ROUNDS, (random, name) -> {
            LoopbackPair pair = new LoopbackPair(4096);
            InetAddress address = pair.left.address;
            Ledger sends = new Ledger(MOST);
            AtomicBoolean stop = new AtomicBoolean();
            Random own = new Random(random.nextLong());
            new RacingThreads()
                    .add("poster", () -> post(pair, sends, stop, own))
                    .add("poller", () -> poll(pair.left, sends, stop))
                    .add("waiter", () -> await(pair.left))
                    .add("modifier", () -> modify(pair.left, stop))
                    .add("closer", () -> {
                        pause(random);
                        try {
                            pair.left.context.closeAll();
                        } finally {
                            stop.set(true);
                        }
                    })
                    .add("second closer", () -> {
                        pause(random);
                        pair.left.qp.close();
                    })
                    .run(name);
            sends.assertNoneEndedTwice();
            pair.right.context.closeAll();
            LoopbackPair.openDevice(address).close();
        });
    }

    /// Waits for events until the channel is closed.
    private static void await(ConnectionEnd end) {
        try {
            while (true) {
                end.cq.arm();
                end.channel.await(java.time.Duration.ofSeconds(30));
            }
        } catch (RdmaException closed) {
            requireTooLate(closed);
        }
    }

    private static void modify(ConnectionEnd end, AtomicBoolean stop) {
        try {
            while (!stop.get()) {
                end.qp.query();
                end.qp.modify(QueuePairChange.attributes().minRnrTimer(12));
            }
        } catch (RdmaException closed) {
            requireTooLate(closed);
        }
    }
}
