package io.verbena.soft.qp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.soft.engine.Counter;
import io.verbena.soft.rig.ConnectionEnd;
import io.verbena.soft.rig.SimulatedLocalPair;
import io.verbena.verbs.AsyncEvent;
import io.verbena.verbs.CompletionQueue;
import io.verbena.verbs.QueuePair;
import io.verbena.verbs.QueuePairChange;
import io.verbena.verbs.QueuePairOptions;
import io.verbena.verbs.attr.AddressVector;
import io.verbena.verbs.attr.AsyncEventType;
import io.verbena.verbs.attr.CompletionStatus;
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

/// More requests of the local path are in flight than their completion queue holds, and the program does not poll it.
@EnabledOnOs(OS.LINUX)
@Timeout(60)
class LocalOverrunTest {
    private static final int PSN = 7;
    private static final int REQUESTS = 16;

    private final SimulatedLocalPair host = new SimulatedLocalPair(4096);
    private final CompletionQueue sends = host.left.context.createCompletionQueue(4);
    private final QueuePair left = host.left.pd.createQueuePair(
            QueuePairOptions.of(QueuePairType.RC, sends, host.left.cq).sendRequests(REQUESTS));
    private final QueuePair right =
            host.right.pd.createQueuePair(QueuePairOptions.rc(host.right.cq).receiveRequests(REQUESTS));

    private static void connect(QueuePair qp, QueuePair to, ConnectionEnd at) {
        ConnectionEnd.initialise(qp);
        qp.modify(QueuePairChange.toRtr(AddressVector.to(at.address), to.number(), PSN));
        qp.modify(QueuePairChange.toRts(PSN));
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
        left.close();
        sends.close();
        host.close();
    }

    private void sendAll() {
        for (int i = 0; i < REQUESTS; i++) {
            assertTrue(right.post(right.newReceiveRequest().wrId(i).into(host.right.memory, 0, 64)));
        }
        for (int i = 0; i < REQUESTS; i++) {
            assertTrue(left.post(left.newSendRequest().wrId(i).signaled().send().from(host.left.memory, 0, 64)));
        }
    }

    /// The peer has executed and acknowledged all requests, and this side has not polled yet.
    private void sendAllWhileStandingStill() {
        host.left.standStill(true);
        sendAll();
        host.run(Duration.ofMillis(1));
        assertEquals(REQUESTS, host.right.statuses().size());
        host.run(Duration.ofMillis(1));
        assertEquals(QueuePairState.RTS, left.state());
    }

    private void assertEndedByTheFullQueue() {
        host.left.standStill(false);
        host.run(Duration.ofMillis(100));
        assertEquals(QueuePairState.ERR, left.state());
        AsyncEvent event = host.left.context.asyncEvents().tryTake();
        assertNotNull(event);
        assertEquals(AsyncEventType.CQ_ERROR, event.type());
        assertNull(host.left.context.asyncEvents().tryTake(), "one event for one queue");
        assertTrue(host.left.counter(Counter.COMPLETIONS_LOST) > 0);

        List<Long> reported = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            sends.poll(
                    completion -> {
                        reported.add(completion.wrId());
                        assertEquals(CompletionStatus.SUCCESS, completion.status());
                    },
                    REQUESTS);
            host.run(Duration.ofMillis(1));
        }
        assertEquals(LongStream.range(0, sends.capacity()).boxed().toList(), reported);
    }

    @Test
    void shouldEndInErrorWhenTheEngineTakesMoreFromTheLaneThanTheQueueHolds() {
        sendAll();
        assertEndedByTheFullQueue();
    }

    @Test
    void shouldEndInErrorWhenAllWereExecutedBeforeTheEngineLooks() {
        sendAllWhileStandingStill();
        assertEndedByTheFullQueue();
    }

    @Test
    void shouldEndInErrorWhenAChangeOfTheQueuePairRetiresMoreThanTheQueueHolds() {
        sendAllWhileStandingStill();
        left.modify(QueuePairChange.to(QueuePairState.SQD));
        assertEndedByTheFullQueue();
    }

    @Test
    void shouldReportNoRequestTwiceWhenTheProgramEndsTheTraffic() {
        sendAllWhileStandingStill();
        left.modify(QueuePairChange.to(QueuePairState.ERR));
        assertEndedByTheFullQueue();
    }

    @Test
    void shouldCloseWhenMoreWereExecutedThanTheQueueHolds() {
        sendAllWhileStandingStill();
        left.close();
        assertEquals(0, sends.poll(completion -> {}, REQUESTS));
        assertEquals(0, host.left.counter(Counter.COMPLETIONS_LOST));
    }
}
