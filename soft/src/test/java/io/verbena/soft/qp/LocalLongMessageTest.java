package io.verbena.soft.qp;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.soft.engine.Counter;
import io.verbena.soft.rig.SimulatedLocalPair;
import io.verbena.verbs.QueuePairChange;
import io.verbena.verbs.attr.CompletionStatus;
import io.verbena.verbs.attr.QueuePairState;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/// Long messages that the receiver copies straight out of the sender's memory.
@EnabledOnOs(OS.LINUX)
class LocalLongMessageTest {
    private static final int LONG = 48 << 20;
    private static final int MOST_POLLS = 1000;

    private final SimulatedLocalPair host = new SimulatedLocalPair(LONG).connect();
    private final SimulatedLocalPair.Side left = host.left;
    private final SimulatedLocalPair.Side right = host.right;

    @AfterEach
    void close() {
        host.close();
    }

    private int pollsUntilReceived() {
        int polls = 1;
        while (right.poll() == 0 && polls < MOST_POLLS) {
            polls++;
        }
        return polls;
    }

    @Test
    void shouldComeBackToTheCallerBetweenPartsOfALongMessage() {
        byte[] sent = left.fill(0, LONG, 1);
        right.receive(7, 0, LONG);
        right.standStill(true);
        left.send(1, 0, LONG);
        int polls = pollsUntilReceived();
        assertTrue(polls >= 10 && polls < MOST_POLLS, "polls: " + polls);
        assertEquals(List.of(7L), right.wrIds());
        assertArrayEquals(sent, right.bytes(0, LONG));
        right.standStill(false);
        host.expect(left, 1);
    }

    /// Each part counts as work: the virtual clock must not advance to the sender's timeout between them.
    @Test
    void shouldTakeNoVirtualTimeBetweenPartsOfALongMessage() {
        right.receive(7, 0, LONG);
        left.send(1, 0, LONG);
        host.expect(right, 1);
        host.expect(left, 1);
        assertEquals(0, left.counter(Counter.ACK_TIMEOUTS));
    }

    @Test
    void shouldCopyLongMessagesInOrderWithShortOnes() {
        byte[] sent = left.fill(0, LONG, 2);
        right.receive(1, 0, 1000);
        right.receive(2, 0, LONG);
        right.receive(3, LONG - 1000, 1000);
        left.send(1, 0, 1000);
        left.send(2, 0, LONG);
        left.send(3, LONG - 1000, 1000);
        host.expect(right, 3);
        assertEquals(List.of(1L, 2L, 3L), right.wrIds());
        assertArrayEquals(sent, right.bytes(0, LONG));
    }

    /// A side that ends the connection executes pending entries, but only a limited number of bytes.
    @Test
    void shouldNotFetchWithoutEndFromAPeerWhileTheConnectionEnds() {
        for (int i = 0; i < 4; i++) {
            right.receive(i, 0, LONG);
        }
        right.standStill(true);
        for (int i = 0; i < 4; i++) {
            left.send(i, 0, LONG);
        }
        right.qp.modify(QueuePairChange.to(QueuePairState.ERR));
        right.standStill(false);
        host.expect(right, 4);
        assertEquals(CompletionStatus.SUCCESS, right.statuses().getFirst());
        assertEquals(CompletionStatus.WORK_REQUEST_FLUSHED, right.statuses().getLast());
        host.expect(left, 4);
        assertEquals(right.statuses().getFirst(), left.statuses().getFirst());
        assertTrue(left.statuses().getLast() != CompletionStatus.SUCCESS, left.statuses()::toString);
    }
}
