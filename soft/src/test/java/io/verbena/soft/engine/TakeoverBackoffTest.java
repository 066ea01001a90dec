package io.verbena.soft.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class TakeoverBackoffTest {
    private static final long MANY = 1_000_000;

    private final TakeoverBackoff backoff = new TakeoverBackoff();

    private long after(int looks, long times) {
        long sleepNs = 0;
        for (int i = 0; i < looks; i++) {
            sleepNs = backoff.onDriven(times);
        }
        return sleepNs;
    }

    @Test
    void shouldLookLessOftenWhileTheProgramDrivesNowAndThen() {
        assertEquals(TakeoverBackoff.SHORTEST_NS, after(1, 1));
        assertTrue(after(3, 1) < TakeoverBackoff.USUAL_NS);
        assertEquals(TakeoverBackoff.USUAL_NS, after(20, 1));
    }

    @Test
    void shouldLookLeastOftenWhileTheProgramDoesNothingButPoll() {
        assertEquals(TakeoverBackoff.LONGEST_NS, after(20, MANY));
        assertEquals(TakeoverBackoff.USUAL_NS, after(1, 100), "it does something else now");
        assertTrue(after(1, MANY) > TakeoverBackoff.USUAL_NS);
    }

    @Test
    void shouldLookSoonAfterATurnOfItsOwn() {
        after(20, MANY);
        backoff.onTakeover(false);
        assertEquals(TakeoverBackoff.SHORTEST_NS, after(1, 1));
    }

    @Test
    void shouldWaitLongerEachTimeItStepsInTooEarly() {
        after(20, 1);
        backoff.onTakeover(true);
        assertEquals(2 * TakeoverBackoff.USUAL_NS, after(1, 1));
        for (int i = 0; i < 10; i++) {
            backoff.onTakeover(true);
        }
        assertEquals(TakeoverBackoff.LONGEST_NS, after(1, 1));
        assertEquals(TakeoverBackoff.LONGEST_NS, after(1, MANY));
    }
}
