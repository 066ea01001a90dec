package io.verbena.roce.packet;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class SyndromeTest {
    /// Milliseconds, as the specification lists them.
    private static final double[] RNR_MS = {
        655.36, 0.01, 0.02, 0.03, 0.04, 0.06, 0.08, 0.12, 0.16, 0.24, 0.32, 0.48, 0.64, 0.96, 1.28, 1.92, 2.56, 3.84,
        5.12, 7.68, 10.24, 15.36, 20.48, 30.72, 40.96, 61.44, 81.92, 122.88, 163.84, 245.76, 327.68, 491.52
    };

    @Test
    void shouldBeOfExactlyOneKindWhenNotReserved() {
        for (int syndrome = 0; syndrome < 256; syndrome++) {
            int kinds = (Syndrome.isAck(syndrome) ? 1 : 0)
                    + (Syndrome.isNak(syndrome) ? 1 : 0)
                    + (Syndrome.isRnrNak(syndrome) ? 1 : 0);
            boolean known = syndrome < 0x40 || syndrome >= 0x60 && syndrome < 0x80;
            assertEquals(known ? 1 : 0, kinds, "syndrome " + syndrome);
            assertFalse(Syndrome.text(syndrome).isEmpty());
        }
    }

    @Test
    void shouldCarryTheTimerCodeWhenReceiverIsNotReady() {
        for (int code = 0; code < 32; code++) {
            int syndrome = Syndrome.rnrNak(code);
            assertEquals(0x20 | code, syndrome);
            assertTrue(Syndrome.isRnrNak(syndrome));
            assertEquals(code, Syndrome.timerCode(syndrome));
        }
    }

    @Test
    void shouldKnowEveryRnrTimer() {
        for (int code = 0; code < 32; code++) {
            assertEquals(Math.round(RNR_MS[code] * 1e6), RnrTimer.nanoseconds(code), "code " + code);
        }
    }
}
