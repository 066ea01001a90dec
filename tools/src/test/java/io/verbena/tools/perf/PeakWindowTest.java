package io.verbena.tools.perf;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class PeakWindowTest {
    private final PeakWindow peak = new PeakWindow();

    @Test
    void shouldFindTheWindowWithTheLeastTimePerMessage() {
        peak.restart(4);
        peak.onPost(0, 1);
        peak.onPost(10, 1);
        peak.onPost(1_000, 1);
        peak.onPost(1_010, 1);
        peak.onCompletion(1_100, 2);
        peak.onCompletion(1_200, 4);
        // messages 2 and 3, from 1000 to 1200: 100 ns each; from the first on it is 300 ns each
        assertEquals(1000 * 1e9 / 100, peak.bytesPerSecond(1000), 1);
    }

    @Test
    void shouldHaveNoPeakWithoutMessages() {
        peak.restart(0);
        peak.onPost(1, 5);
        peak.onCompletion(2, 5);
        assertEquals(0, peak.bytesPerSecond(64));
    }
}
