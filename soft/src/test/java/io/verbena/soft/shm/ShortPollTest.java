package io.verbena.soft.shm;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.soft.OverSharedMemory;
import io.verbena.soft.engine.Counter;
import io.verbena.soft.rig.End;
import io.verbena.verbs.CompletionHandler;
import io.verbena.verbs.QueuePair;
import io.verbena.verbs.QueuePairOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/// Short messages that are taken in the call that polls for them.
@Timeout(60)
@EnabledOnOs(OS.LINUX)
class ShortPollTest implements OverSharedMemory {
    private static final int FROM = 300_000;
    private static final int MANY = 20;
    /// Messages or looks after which everything must have had its turn.
    private static final int SOON = 200;

    private static void sendMany(SharedPair pair) {
        for (int i = 0; i < MANY; i++) {
            pair.right.receive(i, 64L * i, 64);
        }
        for (int i = 0; i < MANY; i++) {
            pair.left.fill(FROM + 64L * i, 8, i);
            pair.left.send(i, FROM + 64L * i, 8);
        }
    }

    @Test
    void shouldGiveNoMoreThanTheLimitInTheOrderOfArrival() {
        try (SharedPair pair = OpenPair.open()) {
            sendMany(pair);
            List<Long> taken = new ArrayList<>();
            while (taken.size() < MANY) {
                int before = taken.size();
                int count = pair.right.cq.poll(completion -> taken.add(completion.wrId()), 3);
                assertTrue(count <= 3, () -> count + " at once");
                assertEquals(count, taken.size() - before);
            }
            assertEquals(LongStream.range(0, MANY).boxed().toList(), taken);
            for (int i = 0; i < MANY; i++) {
                assertArrayEquals(pair.left.bytes(FROM + 64L * i, 8), pair.right.bytes(64L * i, 8));
            }
            assertEquals(0, pair.faults());
        }
    }

    @Test
    void shouldGiveNothingToWhoAsksForNothing() {
        try (SharedPair pair = OpenPair.open()) {
            sendMany(pair);
            CompletionHandler never = completion -> {
                throw new AssertionError("not asked for: " + completion);
            };
            for (int i = 0; i < SOON; i++) {
                assertEquals(0, pair.right.cq.poll(never, 0));
            }
            assertTrue(pair.driveUntil(() -> pair.right.completions.size() == MANY));
        }
    }

    @Test
    void shouldGoOnAfterAHandlerThatThrows() {
        try (SharedPair pair = OpenPair.open()) {
            sendMany(pair);
            List<Long> taken = new ArrayList<>();
            CompletionHandler throwing = completion -> {
                taken.add(completion.wrId());
                throw new IllegalStateException("of the program");
            };
            while (taken.size() < MANY) {
                int before = taken.size();
                try {
                    assertEquals(0, pair.right.cq.poll(throwing, 16));
                } catch (IllegalStateException e) {
                    assertEquals("of the program", e.getMessage());
                    assertEquals(before + 1, taken.size());
                }
            }
            assertEquals(LongStream.range(0, MANY).boxed().toList(), taken);
        }
    }

    @Test
    void shouldLetAHandlerPollAndAnswer() {
        try (SharedPair pair = OpenPair.open()) {
            for (int i = 0; i < MANY; i++) {
                pair.left.receive(100 + i, 64L * i, 64);
            }
            sendMany(pair);
            List<Long> taken = new ArrayList<>();
            CompletionHandler answering = completion -> {
                taken.add(completion.wrId());
                pair.right.cq.poll(inner -> taken.add(inner.wrId()), 1);
                assertTrue(
                        pair.right.qp.post(pair.right.qp.newSendRequest().send().from(pair.right.memory, 0, 8)));
            };
            while (taken.size() < MANY) {
                pair.right.cq.poll(answering, 4);
            }
            assertEquals(LongStream.range(0, MANY).boxed().toList(), taken);
            assertTrue(pair.driveUntil(() -> pair.left.wrIds().contains(100L)));
            assertEquals(0, pair.faults());
        }
    }

    /// The acknowledgement is told beside the messages, which never leave a pause to look for it.
    @Test
    void shouldSeeAcknowledgementsWhileMessagesKeepComing() {
        try (SharedPair pair = OpenPair.open()) {
            End left = pair.left;
            End right = pair.right;
            right.receive(1, 0, 8);
            long told = right.counter(Counter.ACKS_SENT);
            left.send(77, FROM, 8);
            while (right.counter(Counter.ACKS_SENT) == told) {
                right.poll();
            }
            List<Long> taken = new ArrayList<>();
            for (int i = 0; i < SOON && !taken.contains(77L); i++) {
                left.receive(i, 0, 8);
                assertTrue(right.qp.post(right.qp.newSendRequest().send().from(right.memory, FROM, 8)));
                while (taken.size() <= i && !taken.contains(77L)) {
                    left.cq.poll(completion -> taken.add(completion.wrId()), 1);
                }
                right.poll();
            }
            assertTrue(taken.contains(77L), () -> "not among " + taken);
        }
    }

    @Test
    void shouldServeAllConnectionsOfAQueueWhileOneNeverStops() {
        try (SharedPair pair = OpenPair.open()) {
            End left = pair.left;
            End right = pair.right;
            QueuePair from = left.pd.createQueuePair(QueuePairOptions.rc(left.cq));
            QueuePair to = right.pd.createQueuePair(QueuePairOptions.rc(right.cq));
            SharedPair.connect(from, right, to.number(), 2, 1, SharedPair.PATIENT);
            SharedPair.connect(to, left, from.number(), 1, 2, SharedPair.PATIENT);
            to.post(to.newReceiveRequest().wrId(1000).into(right.memory, 0, 8));
            to.post(to.newReceiveRequest().wrId(1001).into(right.memory, 0, 8));
            assertTrue(from.post(from.newSendRequest().send().from(left.memory, FROM, 8)));
            List<Long> taken = new ArrayList<>();
            while (!taken.contains(1000L)) {
                right.cq.poll(completion -> taken.add(completion.wrId()), 1);
            }

            taken.clear();
            assertTrue(from.post(from.newSendRequest().send().from(left.memory, FROM, 8)));
            for (int i = 0; i < SOON && !taken.contains(1001L); i++) {
                right.receive(i, 0, 8);
                assertTrue(left.qp.post(left.qp.newSendRequest().send().from(left.memory, FROM, 8)));
                right.cq.poll(completion -> taken.add(completion.wrId()), 1);
                left.poll();
            }
            assertTrue(taken.contains(1001L), () -> "not among " + taken);
            from.close();
            to.close();
        }
    }

    @Test
    void shouldTellThatAQueueIsClosed() {
        SharedPair pair = OpenPair.open();
        pair.close();
        assertThrows(RuntimeException.class, () -> pair.right.cq.poll(completion -> {}, 1));
    }
}
