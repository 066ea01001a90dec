package io.verbena.soft.qp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.roce.packet.Opcode;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ResponderResourcesTest {
    private static final int MTU = 256;
    private static final int KEY = 0x77;

    private final ResponderResources reads = new ResponderResources();

    @BeforeEach
    void start() {
        reads.reset(2);
    }

    /// Sends all that is due: the PSNs, in order.
    private List<Integer> drain() {
        List<Integer> psns = new ArrayList<>();
        while (!reads.isEmpty()) {
            psns.add(reads.psn());
            reads.advance();
        }
        return psns;
    }

    private boolean replay(int psn, long address, long bytes) {
        int packets = (int) Math.max(1, (bytes + MTU - 1) / MTU);
        return reads.replayRead(psn, packets, address, KEY, bytes, MTU);
    }

    @Test
    void shouldAnswerInTheOrderOfTheRequests() {
        reads.addRead(0xFF_FFFF, 3, 0, KEY, 3 * MTU);
        reads.addRead(2, 1, 5000, KEY, 0);
        assertTrue(reads.isFirst());
        assertFalse(reads.isLast());
        assertEquals(MTU, reads.payload(MTU));
        assertEquals(List.of(0xFF_FFFF, 0, 1, 2), drain());
    }

    @Test
    void shouldTellAddressAndLengthOfEachPacket() {
        reads.addRead(0xFF_FFFF, 3, 1000, KEY, 2 * MTU + 5);
        reads.advance();
        assertEquals(1000 + MTU, reads.address(MTU));
        assertFalse(reads.isFirst());
        reads.advance();
        assertEquals(1000 + 2 * MTU, reads.address(MTU));
        assertEquals(5, reads.payload(MTU));
        assertTrue(reads.isLast());
    }

    @Test
    void shouldBeFullWhenAllAreStillToBeAnswered() {
        reads.addRead(0, 1, 0, KEY, 4);
        assertFalse(reads.isFull());
        reads.addRead(1, 1, 0, KEY, 4);
        assertTrue(reads.isFull());
        reads.advance();
        assertFalse(reads.isFull());
        reads.reset(0);
        assertTrue(reads.isFull());
    }

    @Test
    void shouldAnswerAgainFromTheMiddle() {
        reads.addRead(0xFF_FFFE, 4, 0, KEY, 4 * MTU);
        drain();
        assertTrue(replay(0, 2 * MTU, 2 * MTU));
        assertTrue(reads.isFirst(), "a repeated answer starts as a new one");
        assertEquals(2 * MTU, reads.address(MTU));
        assertEquals(List.of(0, 1), drain());
    }

    @Test
    void shouldStartAnAnswerUnderWayAgain() {
        reads.addRead(10, 4, 0, KEY, 4 * MTU);
        reads.advance();
        reads.advance();
        assertTrue(replay(10, 0, 4 * MTU));
        assertEquals(List.of(10, 11, 12, 13), drain());
    }

    @Test
    void shouldNotAnswerTwiceWhatIsStillInLine() {
        reads.addRead(10, 2, 0, KEY, 2 * MTU);
        assertTrue(replay(10, 0, 2 * MTU));
        assertEquals(List.of(10, 11), drain());
    }

    @Test
    void shouldForgetAllButTheLast() {
        for (int i = 0; i < 3; i++) {
            reads.addRead(i, 1, i * 1000L, KEY, 4);
            drain();
        }
        assertFalse(replay(0, 0, 4), "two are remembered");
        assertTrue(replay(1, 1000, 4));
        assertTrue(replay(2, 2000, 4));
    }

    @Test
    void shouldRefuseAnythingElseThanWasAskedForThen() {
        reads.addRead(10, 4, 1000, KEY, 4 * MTU);
        drain();
        assertFalse(replay(9, 1000, 4));
        assertFalse(replay(14, 1000, 4));
        assertFalse(replay(10, 1001, 4));
        assertFalse(replay(11, 1000, 4));
        assertFalse(replay(10, 1000, 4 * MTU + 1));
        assertFalse(reads.replayRead(10, 1, 1000, KEY + 1, 4, MTU));
        assertTrue(reads.isEmpty());
    }

    @Test
    void shouldDropARepetitionForANewRead() {
        reads.reset(1);
        reads.addRead(0, 2, 0, KEY, 2 * MTU);
        drain();
        assertTrue(replay(0, 0, 2 * MTU));
        assertFalse(reads.isFull());
        reads.addRead(2, 1, 0, KEY, 4);
        assertEquals(List.of(2), drain());
    }

    @Test
    void shouldKeepTheOthersInLineWhenARepetitionIsDropped() {
        reads.reset(4);
        for (int psn = 0; psn < 4; psn++) {
            reads.addRead(psn, 1, psn, KEY, 4);
        }
        drain();
        for (int psn = 3; psn >= 0; psn--) {
            assertTrue(replay(psn, psn, 4));
        }
        reads.addRead(4, 1, 4, KEY, 4);
        assertEquals(List.of(1, 2, 3, 4), drain());
    }

    @Test
    void shouldAnswerARepeatedReadBeforeALaterOneThatIsHalfSent() {
        reads.addRead(0xFF_FFFE, 2, 0, KEY, 2 * MTU);
        reads.addRead(0, 2, 0, KEY, 2 * MTU);
        reads.advance();
        reads.advance();
        reads.advance();
        assertTrue(replay(0xFF_FFFE, 0, 2 * MTU));
        assertEquals(List.of(0xFF_FFFE, 0xFF_FFFF, 1), drain());
    }

    @Test
    void shouldServeAsManyAsThePeerMayRoundItsGrantUpTo() {
        reads.reset(5);
        for (int psn = 0; psn < 8; psn++) {
            assertFalse(reads.isFull());
            reads.addRead(psn, 1, psn, KEY, 4);
        }
        assertTrue(reads.isFull());
    }

    @Test
    void shouldTakeANewLimitWhenNothingIsBeingAnswered() {
        reads.addRead(0, 1, 0, KEY, 4);
        reads.applyLimit(8);
        reads.addRead(1, 1, 0, KEY, 4);
        assertTrue(reads.isFull(), "not while answers are in line");
        drain();
        reads.applyLimit(8);
        for (int psn = 2; psn < 10; psn++) {
            assertFalse(reads.isFull());
            reads.addRead(psn, 1, psn, KEY, 4);
        }
        assertTrue(reads.isFull());
    }

    @Test
    void shouldRememberWhatWasServedUnderAnotherLimit() {
        for (int psn = 0; psn < 3; psn++) {
            reads.addExecuted(Opcode.RC_FETCH_ADD, psn, psn * 8L, KEY, 100 + psn);
            drain();
        }
        reads.applyLimit(8);
        assertFalse(reads.replayExecuted(Opcode.RC_FETCH_ADD, 0, 0, KEY), "two were remembered");
        assertTrue(reads.replayExecuted(Opcode.RC_FETCH_ADD, 1, 8, KEY));
        assertEquals(101, reads.original());
        drain();
        reads.applyLimit(1);
        assertFalse(reads.replayExecuted(Opcode.RC_FETCH_ADD, 1, 8, KEY), "one is remembered");
        assertTrue(reads.replayExecuted(Opcode.RC_FETCH_ADD, 2, 16, KEY));
        assertEquals(102, reads.original());
        reads.advance();
        reads.addRead(3, 1, 0, KEY, 4);
        assertEquals(List.of(3), drain());
        reads.applyLimit(0);
        assertTrue(reads.isFull());
        assertFalse(replay(3, 0, 4));
    }
}
