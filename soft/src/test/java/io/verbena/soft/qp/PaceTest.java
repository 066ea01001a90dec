package io.verbena.soft.qp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class PaceTest {
    private final Pace pace = new Pace();

    @Test
    void shouldStayFullWhileNothingIsLost() {
        pace.reset(new Window(256, 32, 62));
        assertEquals(256, pace.packets());
        pace.onArrived(1000);
        assertEquals(256, pace.packets());
    }

    @Test
    void shouldHalveWithEachLossDownToATrain() {
        pace.reset(new Window(256, 32, 62));
        pace.onLoss();
        assertEquals(128, pace.packets());
        for (int i = 0; i < 20; i++) {
            pace.onLoss();
        }
        assertEquals(Pace.FEWEST_PACKETS, pace.packets());
    }

    @Test
    void shouldGrowBackWithWhatArrives() {
        pace.reset(new Window(256, 32, 62));
        pace.onLoss();
        pace.onArrived(128);
        assertEquals(160, pace.packets());
        pace.onArrived(0);
        assertEquals(160, pace.packets());
        int arrivals = 0;
        for (; pace.packets() < 256; arrivals++) {
            pace.onArrived(1);
        }
        assertEquals(96, arrivals);
    }

    @Test
    void shouldNeverExceedASmallWindow() {
        pace.reset(new Window(8, 1, 4));
        pace.onLoss();
        assertEquals(8, pace.packets());
        pace.onArrived(100);
        assertTrue(pace.packets() <= 8, "" + pace.packets());
    }
}
