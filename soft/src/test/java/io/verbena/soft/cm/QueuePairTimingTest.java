package io.verbena.soft.cm;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class QueuePairTimingTest {
    @Test
    void shouldTellPeersWhatLinuxTellsAndUseShorterTimersItself() {
        QueuePairTiming timing = QueuePairTiming.DEFAULT;
        assertEquals(19, timing.advertisedAckTimeout());
        assertEquals(16, timing.activeAckTimeout(15));
        assertEquals(16, timing.passiveAckTimeout(19));
        assertEquals(15, timing.passiveAckTimeout(15));
        assertEquals(14, timing.passiveAckTimeout(1));
        assertEquals(16, timing.passiveAckTimeout(0));
        assertEquals(12, timing.minRnrTimer());
    }

    @Test
    void shouldFollowTheProgram() {
        QueuePairTiming timing = new QueuePairTiming(10, 0);
        assertEquals(10, timing.advertisedAckTimeout());
        assertEquals(10, timing.activeAckTimeout(15));
        assertEquals(10, timing.passiveAckTimeout(19));
        assertEquals(0, timing.minRnrTimer());
    }
}
