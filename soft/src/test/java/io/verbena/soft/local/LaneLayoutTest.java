package io.verbena.soft.local;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/// Numbers that are packed into words come out as they went in, and words of different writers lie apart.
class LaneLayoutTest {
    private static final long SEED = Long.getLong("verbena.test.seed", System.nanoTime());
    private static final int LINE = 64;

    @Test
    void shouldKeepKindFlagsAndLengthApart() {
        System.out.println("seed " + SEED);
        Random random = new Random(SEED);
        for (int i = 0; i < 10_000; i++) {
            int kind = random.nextInt(64);
            int flags = random.nextInt(1 << 10);
            int length = random.nextInt();
            long form = LaneLayout.form(kind, flags, length);
            assertEquals(kind, LaneLayout.kind(form));
            assertEquals(flags, LaneLayout.flags(form));
            assertEquals(length, LaneLayout.length(form));
        }
    }

    @Test
    void shouldKeepAcceptanceRightsAndDomainApart() {
        Random random = new Random(SEED);
        for (int i = 0; i < 10_000; i++) {
            int access = random.nextInt();
            int domain = random.nextInt(Integer.MAX_VALUE);
            long accepting = LaneLayout.accepting(access, domain);
            assertEquals(domain, LaneLayout.domain(accepting));
            assertTrue(LaneLayout.accepts(accepting, access));
            assertTrue(LaneLayout.accepts(accepting, 0));
            assertEquals(access == -1, LaneLayout.accepts(accepting, -1));
        }
        assertFalse(LaneLayout.accepts(0, 0), "refuses everything");
    }

    @Test
    void shouldCountCells() {
        assertEquals(1, LaneLayout.cells(0));
        assertEquals(1, LaneLayout.cells(48));
        assertEquals(2, LaneLayout.cells(49));
        assertEquals(2, LaneLayout.cells(112));
        assertEquals(3, LaneLayout.cells(113));
    }

    @Test
    void shouldHaveWordsOfDifferentWritersInDifferentLines() {
        List<Long> requesters = List.of(
                LaneLayout.ATTACHED_AT,
                LaneLayout.SEND_QUEUE_SLOT_AT,
                LaneLayout.RETRY_AT,
                LaneLayout.REQUESTER_BUSY_AT,
                LaneLayout.RESPONDER_BUSY_AT,
                LaneLayout.REPLIES_CONSUMED_AT);
        List<Long> responders = List.of(
                LaneLayout.PEER_HIGH_AT,
                LaneLayout.PEER_QP_AT,
                LaneLayout.FIRST_PSN_AT,
                LaneLayout.RECEIVE_QUEUE_SLOT_AT,
                LaneLayout.EXECUTED_AT,
                LaneLayout.VERDICT_POSITION_AT,
                LaneLayout.VERDICT_SYNDROME_AT,
                LaneLayout.VERDICT_COUNT_AT,
                LaneLayout.ACCEPTING_AT,
                LaneLayout.QUIET_AT);
        for (long one : requesters) {
            assertTrue(responders.stream().allMatch(other -> other / LINE != one / LINE), () -> "word at " + one);
            assertTrue(one < LaneLayout.REQUESTS_AT);
        }
        assertEquals(0, LaneLayout.REQUESTS_AT % LINE);
        assertEquals(0, LaneLayout.REPLIES_AT % LINE);
    }

    /// Slots come from neighbours and may be anything; they stay within the page and do not touch each other.
    @Test
    void shouldFindEverySlotWithinTheDevicePage() {
        int[] odd = {0, 1, -1, Integer.MIN_VALUE, Integer.MAX_VALUE, 0xFF_FFFF, DeviceLayout.QUEUE_PAIRS};
        for (int number : odd) {
            long queue = DeviceLayout.queueAt(number);
            long queuePair = DeviceLayout.queuePairAt(number);
            long region = DeviceLayout.regionAt(DeviceLayout.regionSlot(number));
            assertTrue(
                    queue > DeviceLayout.ENGINE_NEWS_AT && queue < queuePair && queuePair < region,
                    () -> Arrays.toString(odd));
            assertTrue(region + LINE <= DeviceLayout.BYTES);
        }
        assertTrue(DeviceLayout.queueAt(DeviceLayout.COMPLETION_QUEUES - 1) + 128 <= DeviceLayout.queuePairAt(0));
        assertTrue(DeviceLayout.queuePairAt(DeviceLayout.QUEUE_PAIRS - 1) + 32 <= DeviceLayout.regionAt(0));
    }
}
