package io.verbena.soft.cq;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import org.junit.jupiter.api.Test;

class EngineTurnsTest {
    private static final int POLLS = 100_000;

    private final EngineTurns turns = new EngineTurns();

    /// How many empty polls come before one that runs the engine, which finds something or not.
    private int pollsUntilRun(boolean found) {
        int polls = 1;
        while (!turns.isDue()) {
            polls++;
        }
        turns.onRun(found);
        return polls;
    }

    private int pollsWhenIdle() {
        int polls = 0;
        for (int i = 0; i < 100; i++) {
            polls = pollsUntilRun(false);
        }
        return polls;
    }

    @Test
    void shouldHardlyEverRunTheEngineWhenNoQueuePairUsesTheNetwork() {
        for (int i = 0; i < POLLS; i++) {
            assertFalse(turns.isDue());
        }
    }

    @Test
    void shouldRunTheEngineSeldomWhenNothingComesFromTheNetwork() {
        turns.countNetworkUsers(1);
        int first = pollsUntilRun(false);
        assertEquals(8 * first, pollsWhenIdle());
    }

    @Test
    void shouldRunTheEngineOftenAfterACompletion() {
        turns.countNetworkUsers(1);
        int first = pollsUntilRun(false);
        pollsWhenIdle();
        pollsUntilRun(true);
        assertEquals(first, pollsUntilRun(false));
        assertEquals(first, pollsUntilRun(false));
    }

    @Test
    void shouldRunTheEngineOftenAfterAPost() {
        turns.countNetworkUsers(1);
        int first = pollsUntilRun(false);
        pollsWhenIdle();
        turns.onPosted();
        assertEquals(first, pollsUntilRun(false));
    }
}
