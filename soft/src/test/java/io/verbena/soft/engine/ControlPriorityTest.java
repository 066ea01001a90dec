package io.verbena.soft.engine;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/// A waiting control call gets the engine between two batches of packets, and drivers yield only for a short time.
class ControlPriorityTest {
    private long nowNs = Long.MAX_VALUE - 500;
    private final ControlPriority priority = new ControlPriority(() -> nowNs);

    @Test
    void shouldKeepDriversAwayAfterABatchWhenSomebodyWaits() {
        priority.beginWait();
        assertFalse(priority.mustYield(), "the batch before has not ended");
        priority.onDriven();
        assertTrue(priority.mustYield());
        nowNs += ControlPriority.LONGEST_NS - 1;
        assertTrue(priority.mustYield());
    }

    @Test
    void shouldLetDriversGoOnWhenNobodyWaits() {
        priority.onDriven();
        assertFalse(priority.mustYield());
        priority.beginWait();
        priority.onDriven();
        priority.endWait();
        assertFalse(priority.mustYield());
    }

    @Test
    void shouldLetDriversGoOnWhenTheWaitingThreadDoesNotCome() {
        priority.beginWait();
        priority.onDriven();
        nowNs += ControlPriority.LONGEST_NS;
        assertFalse(priority.mustYield());
        priority.onDriven();
        assertTrue(priority.mustYield(), "and have another turn after the next batch");
    }
}
