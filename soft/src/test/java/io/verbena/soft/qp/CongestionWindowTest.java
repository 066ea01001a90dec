package io.verbena.soft.qp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class CongestionWindowTest {
    private final CongestionWindow window = new CongestionWindow();

    @Test
    void shouldStayFullWhileNothingIsLost() {
        window.reset(new SendWindow(256, 32, 62));
        assertEquals(256, window.packets());
        window.onArrived(1000);
        assertEquals(256, window.packets());
    }

    @Test
    void shouldHalveWithEachLossDownToATrain() {
        window.reset(new SendWindow(256, 32, 62));
        window.onLoss();
        assertEquals(128, window.packets());
        for (int i = 0; i < 20; i++) {
            window.onLoss();
        }
        assertEquals(CongestionWindow.FEWEST_PACKETS, window.packets());
    }

    @Test
    void shouldGrowBackWithWhatArrives() {
        window.reset(new SendWindow(256, 32, 62));
        window.onLoss();
        window.onArrived(128);
        assertEquals(160, window.packets());
        window.onArrived(0);
        assertEquals(160, window.packets());
        int arrivals = 0;
        for (; window.packets() < 256; arrivals++) {
            window.onArrived(1);
        }
        assertEquals(96, arrivals);
    }

    @Test
    void shouldNeverExceedASmallWindow() {
        window.reset(new SendWindow(8, 1, 4));
        window.onLoss();
        assertEquals(8, window.packets());
        window.onArrived(100);
        assertTrue(window.packets() <= 8, "" + window.packets());
    }
}
