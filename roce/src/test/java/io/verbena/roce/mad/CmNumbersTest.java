package io.verbena.roce.mad;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;

class CmNumbersTest {
    @Test
    void shouldLastFourMicrosecondsTimesAPowerOfTwo() {
        assertEquals(4096, CmTimeout.nanoseconds(0));
        assertEquals(4_294_967_296L, CmTimeout.nanoseconds(20));
        assertEquals(4096L << 31, CmTimeout.nanoseconds(31));
        assertThrows(IllegalArgumentException.class, () -> CmTimeout.nanoseconds(32));
    }

    @Test
    void shouldRoundUpWhenATimeIsBetweenTwoCodes() {
        for (int code = 0; code <= CmTimeout.MAX_CODE; code++) {
            assertEquals(code, CmTimeout.code(CmTimeout.nanoseconds(code)));
            assertEquals(Math.min(31, code + 1), CmTimeout.code(CmTimeout.nanoseconds(code) + 1));
        }
        assertEquals(0, CmTimeout.code(0));
        assertEquals(31, CmTimeout.code(Long.MAX_VALUE));
    }

    @Test
    void shouldComputeAckTimeoutsAsLinuxDoes() {
        assertEquals(19, CmTimeout.ackTimeout(15, 18));
        assertEquals(17, CmTimeout.ackTimeout(15, 16));
        assertEquals(31, CmTimeout.ackTimeout(31, 31));
        for (int delay = 0; delay < 32; delay++) {
            for (int life = 0; life < 32; life++) {
                int a = life + 1;
                if (a >= delay) {
                    a += delay >= a - 1 ? 1 : 0;
                } else {
                    a = delay + (a >= delay - 1 ? 1 : 0);
                }
                assertEquals(Math.min(31, a), CmTimeout.ackTimeout(delay, life), delay + " " + life);
            }
        }
    }

    @Test
    void shouldCombinePortSpaceAndPort() {
        assertEquals(0x0106_1d2fL, ServiceId.of(ServiceId.TCP, 7471));
        assertEquals(0x0111_ffffL, ServiceId.of(ServiceId.UDP, 65535));
        assertEquals(65535, ServiceId.port(ServiceId.of(ServiceId.IB, 65535)));
        assertEquals(ServiceId.IPOIB, ServiceId.portSpace(ServiceId.of(ServiceId.IPOIB, 1)));
        assertThrows(IllegalArgumentException.class, () -> ServiceId.of(ServiceId.TCP, 65536));
    }

    @Test
    void shouldFindReasonsByNumberAndSurviveUnknownOnes() {
        for (RejectReason reason : RejectReason.values()) {
            assertSame(reason, RejectReason.of(reason.code()));
        }
        assertEquals(8, RejectReason.INVALID_SERVICE_ID.code());
        assertEquals(28, RejectReason.CONSUMER_REJECT.code());
        assertNull(RejectReason.of(34));
        assertEquals("reason 99", RejectReason.text(99));
    }
}
