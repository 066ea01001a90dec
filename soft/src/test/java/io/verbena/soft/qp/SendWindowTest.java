package io.verbena.soft.qp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SendWindowTest {
    @Test
    void shouldUseTheFullWindowWhenTheBufferIsLarge() {
        assertEquals(new SendWindow(256, 32, 62), SendWindow.of(8 << 20, 4096));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1000, 100_000, 425_984, 1 << 20, 8 << 20, Integer.MAX_VALUE})
    void shouldLetAWholePartOfAReadFitIntoTheWindow(int bufferBytes) {
        for (int mtu = 256; mtu <= 4096; mtu *= 2) {
            SendWindow window = SendWindow.of(bufferBytes, mtu);
            assertTrue(window.readPackets() > 0 && window.readPackets() <= window.packets(), window.toString());
            assertTrue(
                    window.acknowledgeEvery() > 0 && window.acknowledgeEvery() <= window.packets(), window.toString());
        }
    }

    @Test
    void shouldStayWithinAThirdOfTheBufferOfAnOrdinaryUser() {
        int granted = 2 * 212_992;
        SendWindow window = SendWindow.of(granted, 4096);
        assertTrue(window.packets() * 2 * 4352 <= granted / 3, window.toString());
    }
}
