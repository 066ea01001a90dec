package io.verbena.soft.local;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.soft.OverSharedMemory;
import io.verbena.soft.engine.Counter;
import io.verbena.soft.net.Loopback;
import io.verbena.verbs.QueuePairChange;
import io.verbena.verbs.attr.CompletionStatus;
import io.verbena.verbs.attr.QueuePairState;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// A host without memory for lanes: both ends of a connection fall back to the network.
@EnabledOnOs(OS.LINUX)
class NoRoomTest implements OverSharedMemory {
    private static final int LONG = 50_000;
    private static final int RECEIVE_AT = 100_000;

    private final SharedPair pair = new SharedPair(Loopback.next(), Loopback.next());

    @AfterEach
    void close() {
        pair.close();
    }

    private static void refuseLanes(TestHost host) {
        host.neighbourhood.refuse(bytes -> bytes == LaneLayout.BYTES);
    }

    /// Requests posted before and after the fallback arrive over the network, in order.
    private void expectTraffic(int before) {
        byte[] data = pair.left.fill(0, LONG, 7);
        pair.right.receive(9, RECEIVE_AT, LONG);
        pair.left.send(before + 1, 0, LONG);
        pair.left.write(before + 2, 0, LONG, 300_000);
        pair.left.read(before + 3, 300_000, LONG, 400_000);
        assertTrue(pair.driveUntil(() -> pair.left.completions.size() == before + 3), pair::state);
        assertTrue(pair.left.statuses().stream().allMatch(s -> s == CompletionStatus.SUCCESS), pair::state);
        for (int i = 0; i < before + 3; i++) {
            assertEquals(i + 1, pair.left.completions.get(i).wrId());
        }
        assertArrayEquals(data, pair.right.bytes(RECEIVE_AT, LONG));
        assertArrayEquals(data, pair.left.bytes(400_000, LONG));
        assertEquals(0, pair.left.counter(Counter.SHARED_MESSAGES) + pair.right.counter(Counter.SHARED_MESSAGES));
        assertTrue(SharedPair.packets(pair.left) > 0 && SharedPair.packets(pair.right) > 0, pair::state);
        assertEquals(0, pair.faults());
    }

    @ParameterizedTest
    @CsvSource({"true,false", "false,true", "true,true"})
    void shouldConnectOverTheNetworkOnBothEnds(boolean leftRefuses, boolean rightRefuses) {
        if (leftRefuses) {
            refuseLanes(pair.leftHost);
        }
        if (rightRefuses) {
            refuseLanes(pair.rightHost);
        }
        pair.connect(SharedPair.PATIENT);
        expectTraffic(0);
    }

    /// The end that has a lane posts before it can know that the other has none.
    @ParameterizedTest
    @ValueSource(ints = {1, 20})
    void shouldCarryOverTheNetworkWhatWasPostedBefore(int posted) {
        refuseLanes(pair.rightHost);
        pair.initialise();
        pair.joinLeft(SharedPair.PATIENT);
        for (int i = 0; i < posted; i++) {
            pair.left.send(i + 1, i, 1 + i * 300);
        }
        for (int i = 0; i < posted; i++) {
            pair.right.receive(i, i * 10_000, 10_000);
        }
        pair.joinRight(SharedPair.PATIENT);
        expectTraffic(posted);
        assertEquals(posted + 1, pair.right.completions.size());
    }

    @Test
    void shouldTakeLanesAgainWhenThereIsRoomAgain() {
        refuseLanes(pair.rightHost);
        pair.connect(SharedPair.PATIENT);
        expectTraffic(0);
        pair.rightHost.neighbourhood.refuse(bytes -> false);
        pair.left.qp.modify(QueuePairChange.to(QueuePairState.RESET));
        pair.right.qp.modify(QueuePairChange.to(QueuePairState.RESET));
        pair.connect(SharedPair.PATIENT);
        pair.right.receive(9, 0, 100);
        pair.left.send(4, 0, 100);
        assertTrue(pair.driveUntil(() -> pair.left.completions.size() == 4), pair::state);
        assertEquals(1, pair.left.counter(Counter.SHARED_MESSAGES));
    }

    /// Without memory for a shared region, neighbours have no direct access to the region, and everything works.
    @Test
    void shouldServeRegionsThatNeighboursCannotReach() {
        pair.close();
        TestHost leftHost = new TestHost();
        leftHost.neighbourhood.refuse(bytes -> bytes == SharedPair.BYTES);
        try (SharedPair narrow = new SharedPair(leftHost)) {
            narrow.connect(SharedPair.PATIENT);
            byte[] data = narrow.right.fill(0, LONG, 3);
            narrow.left.receive(9, 0, LONG);
            narrow.right.send(1, 0, LONG);
            narrow.right.write(2, 0, LONG, 200_000);
            narrow.right.read(3, 200_000, LONG, 300_000);
            assertTrue(narrow.driveUntil(() -> narrow.right.completions.size() == 3), narrow::state);
            assertTrue(narrow.right.statuses().stream().allMatch(s -> s == CompletionStatus.SUCCESS), narrow::state);
            assertArrayEquals(data, narrow.left.bytes(0, LONG));
            assertArrayEquals(data, narrow.right.bytes(300_000, LONG));
            assertEquals(3, narrow.right.counter(Counter.SHARED_MESSAGES));
            assertEquals(0, narrow.packets());
        }
    }
}
