package io.verbena.soft.qp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.roce.packet.Opcode;
import io.verbena.soft.engine.Counter;
import io.verbena.soft.rig.SimulatedPair;
import io.verbena.verbs.AsyncEvent;
import io.verbena.verbs.Errno;
import io.verbena.verbs.QueuePairChange;
import io.verbena.verbs.RdmaException;
import io.verbena.verbs.WorkCompletion;
import io.verbena.verbs.attr.AsyncEventType;
import io.verbena.verbs.attr.CompletionStatus;
import io.verbena.verbs.attr.Mtu;
import io.verbena.verbs.attr.QueuePairState;
import java.time.Duration;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// How a queue pair stops: drained in good order, or in error with every request reported once.
class DrainAndFlushTest {
    private static final int MTU = 256;

    private final SimulatedPair pair = new SimulatedPair(1, 256 * 1024).connect(Mtu.MTU_256);
    private final SimulatedPair.Side left = pair.left;
    private final SimulatedPair.Side right = pair.right;

    @AfterEach
    void close() {
        assertEquals(0, left.counter(Counter.ENGINE_FAULTS));
        assertEquals(0, right.counter(Counter.ENGINE_FAULTS));
        pair.close();
    }

    private static List<Long> numbers(int count) {
        return LongStream.range(0, count).boxed().toList();
    }

    private void badWrite(long wrId) {
        left.post(left.request(wrId)
                .write(right.memory.address(), right.memory.rkey() + 1)
                .from(left.memory, 0, 8));
    }

    @Test
    void shouldFinishStartedMessagesAndTellWhenTheSendQueueIsDrained() {
        left.write(0, 0, 300 * MTU, 0);
        left.write(1, 0, MTU, 0);
        left.qp.modify(QueuePairChange.to(QueuePairState.SQD).sqdNotify(true));
        assertTrue(left.qp.query().sendQueueDraining());
        assertNull(left.context.asyncEvents().tryTake());
        RdmaException early =
                assertThrows(RdmaException.class, () -> left.qp.modify(QueuePairChange.to(QueuePairState.RTS)));
        assertEquals(Errno.EINVAL, early.errno());

        AsyncEvent event = left.context.asyncEvents().await(Duration.ofSeconds(1));
        assertNotNull(event);
        assertEquals(AsyncEventType.SEND_QUEUE_DRAINED, event.type());
        assertEquals(left.qp, event.source());
        assertEquals(List.of(0L), left.wrIds(), "the second message had not started");
        assertFalse(left.qp.query().sendQueueDraining());

        left.write(2, 0, MTU, 0);
        pair.run(Duration.ofMillis(10));
        assertEquals(List.of(0L), left.wrIds(), "requests posted in SQD wait");
        left.qp.modify(QueuePairChange.to(QueuePairState.RTS));
        pair.expect(left, 3);
        assertEquals(numbers(3), left.wrIds());
        assertNull(left.context.asyncEvents().tryTake(), "one event for one drain");
    }

    @Test
    void shouldDrainThroughLosses() {
        left.tap.lose(3, frame -> frame.opcode().isWrite());
        left.write(0, 0, 300 * MTU, 0);
        left.qp.modify(QueuePairChange.to(QueuePairState.SQD).sqdNotify(true));
        assertNotNull(left.context.asyncEvents().await(Duration.ofSeconds(1)));
        assertEquals(List.of(CompletionStatus.SUCCESS), left.statuses());
    }

    @Test
    void shouldTellAtOnceWhenThereIsNothingToDrain() {
        left.qp.modify(QueuePairChange.to(QueuePairState.SQD).sqdNotify(true));
        assertEquals(
                AsyncEventType.SEND_QUEUE_DRAINED,
                left.context.asyncEvents().tryTake().type());
    }

    @Test
    void shouldServeThePeerWhileItsOwnSendQueueIsDrained() {
        left.qp.modify(QueuePairChange.to(QueuePairState.SQD));
        right.write(1, 0, MTU, 0);
        right.read(2, 0, MTU, 64 * 1024);
        pair.expect(right, 2);
        assertEquals(List.of(CompletionStatus.SUCCESS, CompletionStatus.SUCCESS), right.statuses());
    }

    @Test
    void shouldTakeANewReadLimitWhenItIsDrained() {
        left.qp.modify(QueuePairChange.to(QueuePairState.SQD));
        left.qp.modify(QueuePairChange.to(QueuePairState.SQD).maxReadAtomic(2));
        left.qp.modify(QueuePairChange.to(QueuePairState.RTS));
        right.tap.loseEverything();
        for (int i = 0; i < 5; i++) {
            left.read(i, 0, MTU, 64 * 1024);
        }
        pair.run(Duration.ofMillis(50));
        assertEquals(2, left.tap.count(Opcode.RC_RDMA_READ_REQUEST));
    }

    @Test
    void shouldReportEveryRequestOnceAndInOrderAfterAnError() {
        left.write(0, 0, 8, 0);
        left.write(1, 0, 8, 0);
        badWrite(2);
        for (int i = 3; i < 10; i++) {
            left.write(i, 0, 8, 0);
        }
        for (int i = 0; i < 5; i++) {
            left.receive(100 + i, 0, 8);
            right.receive(200 + i, 0, 8);
        }
        pair.run(Duration.ofMillis(10));
        List<WorkCompletion> sends =
                left.completions.stream().filter(c -> c.wrId() < 100).toList();
        assertEquals(numbers(10), sends.stream().map(WorkCompletion::wrId).toList());
        assertEquals(CompletionStatus.SUCCESS, sends.get(1).status());
        assertEquals(CompletionStatus.REMOTE_ACCESS_ERROR, sends.get(2).status());
        for (WorkCompletion flushed : sends.subList(3, 10)) {
            assertEquals(CompletionStatus.WORK_REQUEST_FLUSHED, flushed.status());
        }
        List<WorkCompletion> receives =
                left.completions.stream().filter(c -> c.wrId() >= 100).toList();
        assertEquals(
                List.of(100L, 101L, 102L, 103L, 104L),
                receives.stream().map(WorkCompletion::wrId).toList());
        assertEquals(QueuePairState.ERR, left.qp.state());
        assertEquals(QueuePairState.ERR, right.qp.state());
        assertEquals(List.of(200L, 201L, 202L, 203L, 204L), right.wrIds());
        assertTrue(right.statuses().stream().allMatch(CompletionStatus.WORK_REQUEST_FLUSHED::equals));
        assertEquals(
                AsyncEventType.QP_ACCESS_ERROR,
                right.context.asyncEvents().tryTake().type());
    }

    @Test
    void shouldFlushRequestsThatArePostedAfterTheError() {
        badWrite(0);
        pair.expect(left, 1);
        for (int i = 1; i < 10; i++) {
            left.write(i, 0, 8, 0);
            left.receive(100 + i, 0, 8);
        }
        pair.run(Duration.ofMillis(1));
        assertEquals(19, left.completions.size());
        for (WorkCompletion completion : left.completions.subList(1, 19)) {
            assertEquals(CompletionStatus.WORK_REQUEST_FLUSHED, completion.status());
        }
        assertEquals(
                numbers(10),
                left.completions.stream()
                        .map(WorkCompletion::wrId)
                        .filter(id -> id < 100)
                        .toList());
        assertEquals(0, left.tap.frames().stream().skip(1).count(), "nothing is sent after the error");
    }

    @Test
    void shouldReportFailedAndFlushedRequestsEvenWhenTheyAreNotSignaled() {
        left.post(left.qp
                .newSendRequest()
                .wrId(1)
                .write(right.memory.address(), 0)
                .from(left.memory, 0, 8));
        left.post(left.qp
                .newSendRequest()
                .wrId(2)
                .write(right.memory.address(), right.memory.rkey())
                .from(left.memory, 0, 8));
        pair.expect(left, 2);
        assertEquals(
                List.of(CompletionStatus.REMOTE_ACCESS_ERROR, CompletionStatus.WORK_REQUEST_FLUSHED), left.statuses());
    }

    @Test
    void shouldReportALocalErrorInItsTurn() {
        left.write(0, 0, 100 * MTU, 0);
        left.post(left.request(1)
                .write(right.memory.address(), right.memory.rkey())
                .fromAddress(left.memory.address(), 8, left.memory.lkey() + 1));
        left.write(2, 0, 8, 0);
        pair.expect(left, 3);
        assertEquals(
                List.of(
                        CompletionStatus.SUCCESS,
                        CompletionStatus.LOCAL_PROTECTION_ERROR,
                        CompletionStatus.WORK_REQUEST_FLUSHED),
                left.statuses());
        assertEquals(QueuePairState.RTS, right.qp.state(), "nothing of it reached the peer");
    }

    @Test
    void shouldFlushWhenItIsPutIntoTheErrorState() {
        right.tap.loseEverything();
        left.write(0, 0, 300 * MTU, 0);
        left.write(1, 0, 8, 0);
        left.receive(2, 0, 8);
        left.qp.modify(QueuePairChange.to(QueuePairState.ERR));
        assertEquals(List.of(0L, 1L, 2L), left.wrIds());
        assertTrue(left.statuses().stream().allMatch(CompletionStatus.WORK_REQUEST_FLUSHED::equals));
        int sent = left.tap.frames().size();
        pair.run(Duration.ofSeconds(10));
        assertEquals(sent, left.tap.frames().size(), "no retransmission in the error state");
        assertEquals(3, left.completions.size());
    }

    @Test
    void shouldForgetRequestsWithoutCompletionsWhenItIsReset() {
        right.tap.loseEverything();
        left.write(0, 0, 300 * MTU, 0);
        left.receive(1, 0, 8);
        left.qp.modify(QueuePairChange.to(QueuePairState.RESET));
        pair.run(Duration.ofSeconds(1));
        assertEquals(List.of(), left.completions);
    }
}
