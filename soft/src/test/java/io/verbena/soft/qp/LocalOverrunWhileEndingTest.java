package io.verbena.soft.qp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.soft.engine.Counter;
import io.verbena.soft.rig.ConnectionEnd;
import io.verbena.soft.rig.GuardedMemory;
import io.verbena.soft.rig.SimulatedLocalPair;
import io.verbena.verbs.CompletionQueue;
import io.verbena.verbs.QueuePair;
import io.verbena.verbs.QueuePairChange;
import io.verbena.verbs.QueuePairOptions;
import io.verbena.verbs.attr.AddressVector;
import io.verbena.verbs.attr.QueuePairState;
import io.verbena.verbs.attr.QueuePairType;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/// A completion queue overflows while its queue pair changes its state.
@EnabledOnOs(OS.LINUX)
@Timeout(60)
class LocalOverrunWhileEndingTest {
    private static final int PSN = 7;
    private static final int REQUESTS = 16;

    private final SimulatedLocalPair host = new SimulatedLocalPair(4096);
    private final CompletionQueue sends = host.left.context.createCompletionQueue(4);
    private final CompletionQueue receives = host.right.context.createCompletionQueue(4);
    private final QueuePair left = host.left.pd.createQueuePair(
            QueuePairOptions.of(QueuePairType.RC, sends, host.left.cq).sendRequests(2 * REQUESTS));
    private final QueuePair right = host.right.pd.createQueuePair(
            QueuePairOptions.of(QueuePairType.RC, host.right.cq, receives).receiveRequests(REQUESTS));

    private static void connect(QueuePair qp, QueuePair to, ConnectionEnd at) {
        ConnectionEnd.initialise(qp);
        qp.modify(QueuePairChange.toRtr(AddressVector.to(at.address), to.number(), PSN));
        qp.modify(QueuePairChange.toRts(PSN).maxReadAtomic(0));
    }

    @BeforeEach
    void connect() {
        connect(left, right, host.right);
        connect(right, left, host.left);
        host.run(Duration.ofNanos(1));
        assertTrue(sends.capacity() < REQUESTS / 2);
    }

    @AfterEach
    void close() {
        host.close();
    }

    private void send(int count, boolean signaled) {
        for (int i = 0; i < count; i++) {
            var request = left.newSendRequest().wrId(i).send().from(host.left.memory, 0, 64);
            assertTrue(left.post(signaled ? request.signaled() : request));
        }
    }

    private void receive(int count) {
        for (int i = 0; i < count; i++) {
            assertTrue(right.post(right.newReceiveRequest().wrId(i).into(host.right.memory, 0, 64)));
        }
    }

    private static List<Long> taken(CompletionQueue queue) {
        List<Long> numbers = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            queue.poll(completion -> numbers.add(completion.wrId()), REQUESTS);
        }
        return numbers;
    }

    private static List<Long> firstOf(CompletionQueue queue) {
        return LongStream.range(0, queue.capacity()).boxed().toList();
    }

    @Test
    void shouldEndInErrorWhenTheLaneHoldsMoreThanTheReceiveQueueTakes() {
        host.right.standStill(true);
        receive(REQUESTS);
        send(REQUESTS, false);
        right.modify(QueuePairChange.to(QueuePairState.ERR));
        host.right.standStill(false);
        host.run(Duration.ofMillis(100));
        assertEquals(QueuePairState.ERR, right.state());
        assertEquals(firstOf(receives), taken(receives));
        assertTrue(host.right.counter(Counter.COMPLETIONS_LOST) > 0);
    }

    @Test
    void shouldCloseWhenTheLaneHoldsMoreThanTheReceiveQueueTakes() {
        host.right.standStill(true);
        receive(REQUESTS);
        send(REQUESTS, false);
        right.close();
        host.right.standStill(false);
        host.run(Duration.ofMillis(100));
        assertEquals(firstOf(receives), taken(receives));
    }

    /// The peer has executed half of the requests and has no receive for the others; one request was not sent.
    @Test
    void shouldForgetThatThePeerIsNotReadyWhenTheQueueIsFull() {
        host.left.standStill(true);
        receive(REQUESTS / 2);
        send(REQUESTS, true);
        GuardedMemory there = host.right.privateMemory(64);
        assertTrue(left.post(left.newSendRequest()
                .wrId(REQUESTS)
                .signaled()
                .read(there.address(), there.rkey())
                .into(host.left.memory, 0, 64)));
        assertEquals(REQUESTS / 2, taken(receives).size());
        left.modify(QueuePairChange.to(QueuePairState.SQD));
        host.left.standStill(false);
        host.run(Duration.ofSeconds(5));
        assertEquals(QueuePairState.ERR, left.state());
        assertEquals(firstOf(sends), taken(sends));
        assertEquals(0, host.left.counter(Counter.ENGINE_FAULTS));
    }
}
