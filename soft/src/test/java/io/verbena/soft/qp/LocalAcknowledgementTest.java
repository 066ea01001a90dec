package io.verbena.soft.qp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.soft.rig.ConnectionEnd;
import io.verbena.soft.rig.SimulatedLocalPair;
import io.verbena.verbs.CompletionQueue;
import io.verbena.verbs.QueuePair;
import io.verbena.verbs.QueuePairChange;
import io.verbena.verbs.QueuePairOptions;
import io.verbena.verbs.attr.AddressVector;
import io.verbena.verbs.attr.QueuePairType;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/// How a requester gets acknowledgements: piggybacked on the peer's messages, and in time without such messages. Only
/// the programs poll here; no engine is stepped once the connection is established.
@EnabledOnOs(OS.LINUX)
class LocalAcknowledgementTest {
    private static final int PSN = 7;
    /// Empty polls of the peer after which it has also published a piggybacked acknowledgement.
    private static final int REPEATED_AFTER = 64;

    private final SimulatedLocalPair host = new SimulatedLocalPair(4096);
    private final CompletionQueue sends = host.left.context.createCompletionQueue(64);
    private final CompletionQueue receives = host.left.context.createCompletionQueue(64);
    private final QueuePair left = host.left.pd.createQueuePair(QueuePairOptions.of(QueuePairType.RC, sends, receives));
    private final QueuePair right = host.right.pd.createQueuePair(QueuePairOptions.rc(host.right.cq));

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
    }

    @AfterEach
    void close() {
        host.close();
    }

    private static int poll(CompletionQueue cq) {
        return cq.poll(completion -> {}, 16);
    }

    private static void send(QueuePair qp, ConnectionEnd end) {
        assertTrue(qp.post(qp.newSendRequest().send().from(end.memory, 0, 64).signaled()));
    }

    private static void receive(QueuePair qp, ConnectionEnd end) {
        assertTrue(qp.post(qp.newReceiveRequest().into(end.memory, 0, 64)));
    }

    @Test
    void shouldTravelWithThePeersNextMessage() {
        receive(right, host.right);
        receive(left, host.left);
        send(left, host.left);
        assertEquals(1, poll(host.right.cq));
        assertEquals(0, poll(sends), "nobody has told");
        send(right, host.right);
        assertEquals(1, poll(receives));
        assertEquals(1, poll(sends));
    }

    @Test
    void shouldComeAloneWhenThePeerSendsNothing() {
        receive(right, host.right);
        send(left, host.left);
        assertEquals(1, poll(host.right.cq));
        int polls = 0;
        while (polls < REPEATED_AFTER && poll(sends) == 0) {
            poll(host.right.cq);
            polls++;
        }
        assertTrue(polls < REPEATED_AFTER / 2, "after " + polls);
    }

    @Test
    void shouldBeRepeatedWhenTheMessageThatBroughtItStaysUnread() {
        receive(right, host.right);
        receive(left, host.left);
        send(left, host.left);
        assertEquals(1, poll(host.right.cq));
        send(right, host.right);
        assertEquals(0, poll(sends), "the answer lies in the lane, and nobody polls its queue");
        for (int i = 0; i < 2 * REPEATED_AFTER; i++) {
            poll(host.right.cq);
        }
        assertEquals(1, poll(sends));
        assertEquals(1, poll(receives));
    }

    @Test
    void shouldComeFromTheEngineWhenThePeerDoesNotPollAgain() {
        receive(right, host.right);
        receive(left, host.left);
        send(left, host.left);
        assertEquals(1, poll(host.right.cq));
        send(right, host.right);
        host.run(Duration.ofNanos(1));
        assertEquals(1, poll(sends));
    }

    @Test
    void shouldComeInALongStreamAlthoughNobodyAnswers() {
        for (int sent = 0, done = 0; done < 2000; ) {
            if (sent < 2000 && sent - done < 16) {
                receive(right, host.right);
                send(left, host.left);
                sent++;
            }
            poll(host.right.cq);
            done += poll(sends);
        }
    }
}
