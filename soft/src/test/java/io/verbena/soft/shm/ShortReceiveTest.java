package io.verbena.soft.shm;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.soft.OverSharedMemory;
import io.verbena.soft.engine.Counter;
import io.verbena.soft.net.Loopback;
import io.verbena.soft.rig.End;
import io.verbena.verbs.CompletionQueue;
import io.verbena.verbs.QueuePair;
import io.verbena.verbs.QueuePairOptions;
import io.verbena.verbs.attr.AsyncEventType;
import io.verbena.verbs.attr.CompletionStatus;
import io.verbena.verbs.attr.QueuePairState;
import io.verbena.verbs.attr.QueuePairType;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// What becomes of short messages on the side that they come to.
@Timeout(60)
@EnabledOnOs(OS.LINUX)
class ShortReceiveTest implements OverSharedMemory {
    private static final int FROM = 300_000;

    @Test
    void shouldEndWhenTheCompletionQueueOverflows() {
        try (SharedPair pair = new SharedPair(Loopback.next(), Loopback.next())) {
            End left = pair.left;
            End right = pair.right;
            CompletionQueue small = right.context.createCompletionQueue(1);
            QueuePair qp = right.pd.createQueuePair(QueuePairOptions.of(QueuePairType.RC, right.cq, small));
            SharedPair.connect(left.qp, right, qp.number(), 2, 1, SharedPair.IMPATIENT);
            SharedPair.connect(qp, left, left.qp.number(), 1, 2, SharedPair.IMPATIENT);
            qp.post(qp.newReceiveRequest().wrId(8).into(right.memory, 0, 8));
            qp.post(qp.newReceiveRequest().wrId(9).into(right.memory, 8, 8));
            byte[] first = left.fill(FROM, 8, 1);
            left.send(1, FROM, 8);
            assertTrue(pair.driveUntil(() -> left.completions.size() == 1));

            OpenPair.hold(left, () -> left.send(2, FROM, 8));
            assertTrue(pair.driveUntil(() -> qp.state() == QueuePairState.ERR));
            assertTrue(pair.driveUntil(() -> left.completions.size() == 2));
            assertEquals(List.of(CompletionStatus.SUCCESS, CompletionStatus.RETRY_EXCEEDED), left.statuses());
            assertEquals(1, right.counter(Counter.COMPLETIONS_LOST));
            assertEquals(
                    AsyncEventType.CQ_ERROR,
                    right.context.asyncEvents().tryTake().type());
            List<Long> kept = new ArrayList<>();
            small.poll(completion -> kept.add(completion.wrId()), 8);
            assertEquals(List.of(8L), kept);
            assertArrayEquals(first, right.bytes(0, 8));
            assertEquals(0, pair.faults());
        }
    }

    @Test
    void shouldRefuseAShortMessageLongerThanTheReceive() {
        try (SharedPair pair = OpenPair.open()) {
            byte[] before = pair.right.bytes(0, 64);
            pair.right.receive(9, 0, 7);
            pair.left.fill(FROM, 8, 1);
            OpenPair.hold(pair.left, () -> pair.left.send(1, FROM, 8));
            assertTrue(pair.driveUntil(() -> pair.left.completions.size() == 1 && pair.right.completions.size() == 1));
            assertEquals(List.of(CompletionStatus.REMOTE_INVALID_REQUEST), pair.left.statuses());
            assertEquals(List.of(CompletionStatus.LOCAL_LENGTH_ERROR), pair.right.statuses());
            assertArrayEquals(before, pair.right.bytes(0, 64));
            assertEquals(0, pair.faults());
        }
    }

    /// Put in by the sender's own lane, so that the ring stays in step and the next message can show that nothing
    /// happened.
    @ParameterizedTest
    @CsvSource({
        "1, 8, OUT_OF_SEQUENCE_REQUESTS",
        "-1, 8, DUPLICATE_REQUESTS",
        "8388607, 8, OUT_OF_SEQUENCE_REQUESTS",
        "1, 2048, DROPPED_BAD_SHARED",
        "0, 2048, DROPPED_BAD_SHARED",
        "0, 60000, DROPPED_BAD_SHARED"
    })
    void shouldDropAForgedShortMessage(int psnAhead, int bytes, Counter counter) {
        try (SharedPair pair = OpenPair.open()) {
            byte[] before = pair.right.bytes(0, 100_000);
            pair.right.receive(9, 0, 100_000);
            int psn = pair.right.qp.query().receivePsn() + psnAhead & 0xFF_FFFF;
            long counted = pair.right.counter(counter);
            OpenPair.hold(pair.left, () -> forge(OpenPair.lane(pair.left), psn, bytes));
            assertTrue(pair.driveUntil(() -> pair.right.counter(counter) > counted), () -> "not seen");
            OpenPair.pollOften(pair);
            assertEquals(List.of(), pair.right.wrIds());
            assertArrayEquals(before, pair.right.bytes(0, 100_000));

            byte[] message = pair.left.fill(FROM, 8, 1);
            OpenPair.hold(pair.left, () -> pair.left.send(1, FROM, 8));
            assertTrue(pair.driveUntil(() -> pair.left.completions.size() == 1 && pair.right.completions.size() == 1));
            assertEquals(List.of(CompletionStatus.SUCCESS), pair.left.statuses());
            assertEquals(8, pair.right.completions.getFirst().byteLength());
            assertArrayEquals(message, pair.right.bytes(0, 8));
            assertEquals(0, pair.faults());
        }
    }

    private static void forge(Lane lane, int psn, int bytes) {
        int at = lane.claim(bytes);
        lane.memory().asSlice(at, bytes).fill((byte) 0x55);
        lane.sendShort(at, bytes, psn, false);
        lane.wake();
    }
}
