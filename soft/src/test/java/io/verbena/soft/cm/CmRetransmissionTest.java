package io.verbena.soft.cm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class CmRetransmissionTest {
    private static final long MS = 1_000_000;
    private static final long START = Long.MAX_VALUE - 300 * MS;

    private final Retransmission retransmission = new Retransmission();

    @Test
    void shouldDoubleTheIntervalUpToTwoSecondsAndEndAtTheDeadline() {
        List<Long> at = new ArrayList<>();
        long nowNs = retransmission.start(START, 9_000 * MS);
        while (!retransmission.isOver(nowNs)) {
            at.add((nowNs - START) / MS);
            nowNs = retransmission.nextNs(nowNs);
        }
        assertEquals(List.of(100L, 300L, 700L, 1500L, 3100L, 5100L, 7100L), at);
        assertEquals(9_000, (nowNs - START) / MS);
    }

    @Test
    void shouldGrantPatienceButKeepHalfOfTheTime() {
        retransmission.start(START, 5_000 * MS);
        assertEquals(START + 700 * MS, retransmission.postpone(START, 700 * MS));
        assertEquals(START + 2_500 * MS, retransmission.postpone(START, 60_000 * MS));
        assertEquals(START + 5_000 * MS, retransmission.postpone(START + 4_950 * MS, 60_000 * MS));
        assertFalse(retransmission.isOver(START + 4_999 * MS));
        assertTrue(retransmission.isOver(START + 5_000 * MS));
    }
}
