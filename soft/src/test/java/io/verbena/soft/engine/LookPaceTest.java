package io.verbena.soft.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class LookPaceTest {
    private static final long MANY = 1_000_000;

    private final LookPace pace = new LookPace();

    private long after(int looks, long times) {
        long sleepNs = 0;
        for (int i = 0; i < looks; i++) {
            sleepNs = pace.onDriven(times);
        }
        return sleepNs;
    }

    @Test
    void shouldLookLessOftenWhileTheProgramDrivesNowAndThen() {
        assertEquals(LookPace.SHORTEST_NS, after(1, 1));
        assertTrue(after(3, 1) < LookPace.USUAL_NS);
        assertEquals(LookPace.USUAL_NS, after(20, 1));
    }

    @Test
    void shouldLookLeastOftenWhileTheProgramDoesNothingButPoll() {
        assertEquals(LookPace.LONGEST_NS, after(20, MANY));
        assertEquals(LookPace.USUAL_NS, after(1, 100), "it does something else now");
        assertTrue(after(1, MANY) > LookPace.USUAL_NS);
    }

    @Test
    void shouldLookSoonAfterATurnOfItsOwn() {
        after(20, MANY);
        pace.onTurn(false);
        assertEquals(LookPace.SHORTEST_NS, after(1, 1));
    }

    @Test
    void shouldWaitLongerEachTimeItStepsInTooEarly() {
        after(20, 1);
        pace.onTurn(true);
        assertEquals(2 * LookPace.USUAL_NS, after(1, 1));
        for (int i = 0; i < 10; i++) {
            pace.onTurn(true);
        }
        assertEquals(LookPace.LONGEST_NS, after(1, 1));
        assertEquals(LookPace.LONGEST_NS, after(1, MANY));
    }
}
