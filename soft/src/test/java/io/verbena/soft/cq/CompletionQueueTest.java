package io.verbena.soft.cq;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.soft.engine.Counter;
import io.verbena.soft.rig.ConnectionEnd;
import io.verbena.soft.rig.SimulatedPair;
import io.verbena.verbs.AsyncEvent;
import io.verbena.verbs.CompletionQueue;
import io.verbena.verbs.Errno;
import io.verbena.verbs.QueuePair;
import io.verbena.verbs.QueuePairChange;
import io.verbena.verbs.QueuePairOptions;
import io.verbena.verbs.RdmaException;
import io.verbena.verbs.attr.AsyncEventType;
import io.verbena.verbs.attr.CompletionStatus;
import io.verbena.verbs.attr.Mtu;
import io.verbena.verbs.attr.QueuePairState;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Completion queues that change their size, or are too small.
class CompletionQueueTest {
    private final SimulatedPair pair = new SimulatedPair(1, 4096).connect(Mtu.MTU_256);
    private final SimulatedPair.Side left = pair.left;

    @AfterEach
    void close() {
        assertEquals(0, left.counter(Counter.ENGINE_FAULTS));
        pair.close();
    }

    /// A queue pair whose receives can be flushed into the queue, in order.
    private QueuePair flushable(CompletionQueue queue) {
        QueuePair qp = left.pd.createQueuePair(QueuePairOptions.rc(queue));
        ConnectionEnd.initialise(qp);
        qp.modify(QueuePairChange.to(QueuePairState.ERR));
        return qp;
    }

    private static void flush(QueuePair qp, long wrId) {
        assertTrue(qp.post(qp.newReceiveRequest().wrId(wrId).empty()));
    }

    private static List<Long> poll(CompletionQueue queue, int limit) {
        List<Long> seen = new ArrayList<>();
        queue.poll(completion -> seen.add(completion.wrId()), limit);
        return seen;
    }

    private static List<Long> numbers(long from, long to) {
        return LongStream.range(from, to).boxed().toList();
    }

    private static void assertInvalid(Runnable call) {
        assertEquals(Errno.EINVAL, assertThrows(RdmaException.class, call::run).errno());
    }

    @Test
    void shouldKeepWhatIsInItInOrderWhenResized() {
        CompletionQueue queue = left.context.createCompletionQueue(8);
        QueuePair qp = flushable(queue);
        long posted = 0;
        long polled = 0;
        for (int size : new int[] {16, 8, 128, 5, 6, 64}) {
            while (posted - polled < 5) {
                flush(qp, posted++);
            }
            queue.resize(size);
            assertTrue(queue.capacity() >= size);
            assertEquals(numbers(polled, polled + 3), poll(queue, 3));
            polled += 3;
        }
        assertEquals(numbers(polled, posted), poll(queue, 100));
    }

    @Test
    void shouldRefuseSizesBelowWhatIsNotPolledAndBeyondTheDevice() {
        CompletionQueue queue = left.context.createCompletionQueue(8);
        QueuePair qp = flushable(queue);
        for (int i = 0; i < 5; i++) {
            flush(qp, i);
        }
        assertInvalid(() -> queue.resize(4));
        assertInvalid(() -> queue.resize(0));
        assertInvalid(() -> queue.resize(-1));
        assertInvalid(() -> queue.resize(left.context.attributes().maxCompletionEntries() + 1));
        assertEquals(8, queue.capacity());
        assertEquals(numbers(0, 5), poll(queue, 8));
    }

    @Test
    void shouldStayArmedWhenResizedAndNotFireForWhatMoved() {
        CompletionQueue queue = left.context.createCompletionQueue(8, left.channel);
        QueuePair qp = flushable(queue);
        flush(qp, 0);
        queue.arm();
        queue.resize(16);
        assertNull(left.channel.tryTake());
        flush(qp, 1);
        assertSame(queue, left.channel.tryTake());
    }

    @Test
    void shouldLetAHandlerResizeTheQueueItPolls() {
        CompletionQueue queue = left.context.createCompletionQueue(4);
        QueuePair qp = flushable(queue);
        for (int i = 0; i < 4; i++) {
            flush(qp, i);
        }
        List<Long> seen = new ArrayList<>();
        queue.poll(
                completion -> {
                    seen.add(completion.wrId());
                    if (seen.size() == 2) {
                        queue.resize(64);
                        for (int i = 4; i < 40; i++) {
                            flush(qp, i);
                        }
                    }
                },
                100);
        assertEquals(numbers(0, 40), seen);
    }

    @Test
    void shouldTellOnceOfAnOverrunEndTheQueuePairAndKeepWhatFitted() {
        CompletionQueue queue = left.context.createCompletionQueue(2);
        QueuePair qp = left.pd.createQueuePair(QueuePairOptions.rc(queue));
        ConnectionEnd.initialise(qp);
        for (int i = 0; i < 6; i++) {
            flush(qp, i);
        }
        qp.modify(QueuePairChange.to(QueuePairState.ERR));
        AsyncEvent event = left.context.asyncEvents().tryTake();
        assertEquals(AsyncEventType.CQ_ERROR, event.type());
        assertSame(queue, event.source());
        assertNull(left.context.asyncEvents().tryTake(), "once, though four were lost");
        assertEquals(4, left.counter(Counter.COMPLETIONS_LOST));
        assertEquals(numbers(0, 2), poll(queue, 8));
    }

    @Test
    void shouldEndAQueuePairWhoseCompletionDoesNotFit() {
        CompletionQueue small = left.context.createCompletionQueue(1);
        QueuePair first = flushable(small);
        QueuePair second = flushable(small);
        flush(first, 1);
        assertEquals(QueuePairState.ERR, second.state());
        flush(second, 2);
        assertEquals(
                AsyncEventType.CQ_ERROR, left.context.asyncEvents().tryTake().type());
        assertEquals(List.of(1L), poll(small, 8));
        flush(second, 3);
        List<CompletionStatus> statuses = new ArrayList<>();
        small.poll(completion -> statuses.add(completion.status()), 8);
        assertEquals(List.of(CompletionStatus.WORK_REQUEST_FLUSHED), statuses, "there is room again");
    }
}
