package io.verbena.soft.qp;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.soft.rig.ConnectionEnd;
import io.verbena.soft.rig.SimulatedLocalPair;
import io.verbena.verbs.AsyncEvent;
import io.verbena.verbs.Errno;
import io.verbena.verbs.QueuePairChange;
import io.verbena.verbs.RdmaException;
import io.verbena.verbs.WorkCompletion;
import io.verbena.verbs.attr.AsyncEventType;
import io.verbena.verbs.attr.CompletionStatus;
import io.verbena.verbs.attr.QueuePairState;
import java.time.Duration;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/// How a queue pair on the local path stops: drained in good order, in error with every request reported once, or
/// reset with none reported.
@EnabledOnOs(OS.LINUX)
class LocalDrainAndFlushTest {
    private static final CompletionStatus FLUSHED = CompletionStatus.WORK_REQUEST_FLUSHED;

    private final SimulatedLocalPair host = new SimulatedLocalPair(256 * 1024).connect();
    private final SimulatedLocalPair.Side left = host.left;
    private final SimulatedLocalPair.Side right = host.right;

    @AfterEach
    void close() {
        host.close();
    }

    private static List<Long> numbers(int from, int to) {
        return LongStream.range(from, to).boxed().toList();
    }

    @Test
    void shouldFinishStartedMessagesAndTellWhenTheSendQueueIsDrained() {
        right.receive(0, 0, 100);
        right.receive(1, 0, 100);
        right.standStill(true);
        left.send(0, 0, 100);
        left.qp.modify(QueuePairChange.to(QueuePairState.SQD).sqdNotify(true));
        left.send(1, 0, 100);
        assertTrue(left.qp.query().sendQueueDraining());
        assertNull(left.context.asyncEvents().tryTake());
        RdmaException early =
                assertThrows(RdmaException.class, () -> left.qp.modify(QueuePairChange.to(QueuePairState.RTS)));
        assertEquals(Errno.EINVAL, early.errno());

        right.standStill(false);
        AsyncEvent event = left.context.asyncEvents().await(Duration.ofSeconds(1));
        assertNotNull(event);
        assertEquals(AsyncEventType.SEND_QUEUE_DRAINED, event.type());
        assertFalse(left.qp.query().sendQueueDraining());
        host.run(Duration.ofMillis(10));
        assertEquals(List.of(0L), left.wrIds(), "requests posted in SQD wait");
        left.qp.modify(QueuePairChange.to(QueuePairState.RTS));
        host.expect(left, 2);
        assertEquals(numbers(0, 2), left.wrIds());
        assertNull(left.context.asyncEvents().tryTake(), "one event for one drain");
    }

    @Test
    void shouldTellThatTheSendQueueIsDrainedWhenOnlyTheProgramPolls() {
        right.receive(0, 0, 100);
        left.send(0, 0, 100);
        left.qp.modify(QueuePairChange.to(QueuePairState.SQD).sqdNotify(true));
        for (int i = 0; i < 100; i++) {
            right.poll();
            left.poll();
        }
        assertEquals(
                List.of(0L), left.completions.stream().map(WorkCompletion::wrId).toList());
        assertFalse(left.qp.query().sendQueueDraining());
        assertNotNull(left.context.asyncEvents().tryTake());
    }

    @Test
    void shouldServeThePeerWhileItsOwnSendQueueIsDrained() {
        var memory = left.privateMemory(100);
        left.qp.modify(QueuePairChange.to(QueuePairState.SQD));
        right.write(1, 0, 100, 0);
        right.post(right.request(2).read(memory.address(), memory.rkey()).into(right.memory, 0, 100));
        host.expect(right, 2);
        assertEquals(List.of(CompletionStatus.SUCCESS, CompletionStatus.SUCCESS), right.statuses());
    }

    @Test
    void shouldReportEveryRequestOnceAndInOrderAfterAnError() {
        right.receive(100, 0, 100);
        right.receive(101, 0, 100);
        right.receive(102, 0, 100);
        right.standStill(true);
        left.receive(200, 0, 100);
        left.receive(201, 0, 100);
        left.send(0, 0, 100);
        left.post(left.request(1)
                .write(right.memory.address(), right.memory.rkey() + 1)
                .from(left.memory, 0, 8));
        for (int i = 2; i < 10; i++) {
            left.send(i, 0, 100);
        }
        right.standStill(false);
        host.expect(left, 12);
        host.run(Duration.ofSeconds(1));
        assertEquals(
                LongStream.concat(LongStream.range(0, 10), LongStream.of(200, 201))
                        .boxed()
                        .toList(),
                left.wrIds());
        assertEquals(CompletionStatus.SUCCESS, left.completions.get(0).status());
        assertEquals(
                CompletionStatus.REMOTE_ACCESS_ERROR, left.completions.get(1).status());
        assertTrue(left.completions.stream().skip(2).allMatch(completion -> completion.status() == FLUSHED));
        assertEquals(numbers(100, 103), right.wrIds());
        assertEquals(List.of(CompletionStatus.SUCCESS, FLUSHED, FLUSHED), right.statuses());
    }

    @Test
    void shouldFlushWhatThePeerHasNotTaken() {
        right.receive(100, 0, 100);
        right.standStill(true);
        left.fill(0, 100, 1);
        left.send(0, 0, 100);
        left.send(1, 0, 100);
        left.qp.modify(QueuePairChange.to(QueuePairState.ERR));
        left.send(2, 0, 100);
        assertEquals(List.of(FLUSHED, FLUSHED, FLUSHED), left.statuses());
        assertEquals(numbers(0, 3), left.wrIds());
    }

    @Test
    void shouldTakeWhatIsInTheLaneBeforeItGoesIntoErrorItself() {
        right.receive(100, 0, 100);
        right.receive(101, 0, 100);
        byte[] message = left.fill(0, 100, 1);
        left.send(0, 0, 100);
        right.qp.modify(QueuePairChange.to(QueuePairState.ERR));
        assertEquals(List.of(CompletionStatus.SUCCESS, FLUSHED), right.statuses());
        assertArrayEquals(message, right.bytes(0, 100));
        host.expect(left, 1);
        assertEquals(List.of(CompletionStatus.SUCCESS), left.statuses());
    }

    @Test
    void shouldReportNothingAfterAReset() {
        right.standStill(true);
        left.receive(200, 0, 100);
        left.send(0, 0, 100);
        left.post(left.request(1).send().from(left.memory, 0, 50_000));
        left.qp.modify(QueuePairChange.to(QueuePairState.RESET));
        right.standStill(false);
        host.run(Duration.ofMillis(50));
        assertEquals(List.of(), left.statuses());
        assertEquals(QueuePairState.RESET, left.qp.state());
    }

    @Test
    void shouldTakeAllThatIsInTheLaneWhenMostOfItReportsNothing() {
        var memory = right.privateMemory(40);
        right.receive(100, 0, 100);
        right.standStill(true);
        byte[] bytes = left.fill(0, 40, 1);
        for (int i = 0; i < 40; i++) {
            left.post(left.request(i).write(memory.address() + i, memory.rkey()).from(left.memory, i, 1));
        }
        left.send(40, 0, 40);
        right.qp.modify(QueuePairChange.to(QueuePairState.ERR));
        assertEquals(List.of(CompletionStatus.SUCCESS), right.statuses());
        assertArrayEquals(bytes, memory.bytes(0, 40));
        host.expect(left, 41);
        assertEquals(numbers(0, 41), left.wrIds());
        assertTrue(left.statuses().stream().allMatch(CompletionStatus.SUCCESS::equals), left.completions::toString);
    }

    @Test
    void shouldReportNothingAfterAResetWhenThePeerHasExecutedAll() {
        for (int i = 0; i < 20; i++) {
            right.receive(i, 0, 100);
        }
        left.standStill(true);
        for (int i = 0; i < 20; i++) {
            left.send(i, 0, 100);
        }
        host.run(Duration.ofMillis(1));
        assertEquals(numbers(0, 20), right.wrIds());
        left.qp.modify(QueuePairChange.to(QueuePairState.RESET));
        left.standStill(false);
        host.run(Duration.ofMillis(50));
        assertEquals(List.of(), left.statuses());
    }

    @Test
    void shouldConnectAnewAfterBothWereReset() {
        for (int life = 0; life < 3; life++) {
            right.receive(life, 0, 100);
            byte[] message = left.fill(0, 100, life);
            left.send(life, 0, 100);
            host.expect(left, life + 1);
            right.poll();
            assertArrayEquals(message, right.bytes(0, 100));
            left.send(99, 0, 100);
            left.qp.modify(QueuePairChange.to(QueuePairState.RESET));
            right.qp.modify(QueuePairChange.to(QueuePairState.RESET));
            ConnectionEnd.initialise(left.qp);
            ConnectionEnd.initialise(right.qp);
            host.connect();
        }
        assertEquals(numbers(0, 3), left.wrIds());
        assertEquals(numbers(0, 3), right.wrIds());
        assertEquals(
                List.of(CompletionStatus.SUCCESS, CompletionStatus.SUCCESS, CompletionStatus.SUCCESS), left.statuses());
    }
}
