package io.verbena.roce.packet;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Random;
import org.junit.jupiter.api.Test;

class PsnTest {
    @Test
    void shouldWrapToZeroWhenTheLastNumberIsPassed() {
        assertEquals(0, Psn.next(0xFF_FFFF));
        assertEquals(4, Psn.add(0xFF_FFFE, 6));
        assertEquals(0xFF_FFFF, Psn.add(1, -2));
    }

    @Test
    void shouldOrderNumbersWhenTheWrapIsBetweenThem() {
        assertEquals(2, Psn.distance(1, 0xFF_FFFF));
        assertEquals(-2, Psn.distance(0xFF_FFFF, 1));
        assertTrue(Psn.isBefore(0xFF_FFFF, 0));
        assertTrue(Psn.isAfter(0, 0xFF_FFFF));
        assertFalse(Psn.isBefore(7, 7));
        assertFalse(Psn.isAfter(7, 7));
    }

    @Test
    void shouldReachTheEdgesOfTheWindow() {
        assertEquals(0x7F_FFFF, Psn.distance(0x7F_FFFF, 0));
        assertEquals(-0x80_0000, Psn.distance(0x80_0000, 0));
    }

    @Test
    void shouldUndoAddWhenDistanceIsTaken() {
        long seed = 24;
        Random random = new Random(seed);
        for (int round = 0; round < 10_000; round++) {
            int psn = random.nextInt(1 << 24);
            int step = random.nextInt(1 << 24) - (1 << 23);
            assertEquals(step, Psn.distance(Psn.add(psn, step), psn), "seed " + seed + " round " + round);
        }
    }
}
