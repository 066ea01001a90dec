package io.verbena.soft.mem;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.verbena.soft.engine.Counter;
import io.verbena.soft.fault.FaultPlan;
import io.verbena.soft.rig.SimulatedPair;
import io.verbena.verbs.Keys;
import io.verbena.verbs.MemoryRegion;
import io.verbena.verbs.MemoryWindow;
import io.verbena.verbs.attr.Access;
import io.verbena.verbs.attr.CompletionStatus;
import io.verbena.verbs.attr.MemoryWindowType;
import io.verbena.verbs.attr.Mtu;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import org.junit.jupiter.api.Test;

/// The peer's SEND revokes a window's key: once, in order, whatever the network does.
class PeerRevokesTest {
    private static final int LENGTH = 4096;
    private static final int RUNS = 60;

    @Test
    void shouldRevokeBetweenTwoWritesOfTheSamePeer() {
        for (long seed = 0; seed < RUNS; seed++) {
            run(seed);
        }
    }

    private static void run(long seed) {
        String where = "seed " + seed;
        try (SimulatedPair pair = new SimulatedPair(seed, LENGTH).connect(Mtu.MTU_256)) {
            SimulatedPair.Side left = pair.left;
            SimulatedPair.Side right = pair.right;
            MemoryRegion region = right.pd.allocate(LENGTH, Access.LOCAL_WRITE, Access.MEMORY_WINDOW_BIND);
            MemoryWindow window = right.pd.allocateMemoryWindow(MemoryWindowType.TYPE_2);
            for (int round = 0; round < 3; round++) {
                left.completions.clear();
                right.completions.clear();
                int rkey = bind(pair, window, region);
                right.receive(9, 0, LENGTH);
                byte[] sent = left.fill(0, LENGTH, seed + round);
                pair.faults(FaultPlan.none().withLoss(0.05).withDuplicate(0.05).withReorder(0.05));
                left.post(left.request(1).write(region.address(), rkey).from(left.memory, 0, LENGTH));
                left.post(left.request(2).sendWithInvalidate(rkey).from(left.memory, 0, LENGTH));
                pair.expect(left, 2);
                pair.expect(right, 2);
                assertEquals(List.of(CompletionStatus.SUCCESS, CompletionStatus.SUCCESS), left.statuses(), where);
                assertEquals(rkey, right.completions.getLast().invalidatedKey(), where);
                assertEquals(-1, MemorySegment.ofArray(sent).mismatch(region.memory()), where);
            }
            region.memory().fill((byte) 0);
            pair.faults(FaultPlan.none());
            left.post(left.request(3).write(region.address(), window.rkey()).from(left.memory, 0, 8));
            pair.expect(left, 3);
            assertEquals(CompletionStatus.REMOTE_ACCESS_ERROR, left.statuses().getLast(), where);
            assertEquals(0, region.memory().get(ValueLayout.JAVA_LONG, 0), where);
            assertEquals(0, left.counter(Counter.ENGINE_FAULTS) + right.counter(Counter.ENGINE_FAULTS), where);
        }
    }

    private static int bind(SimulatedPair pair, MemoryWindow window, MemoryRegion region) {
        int key = Keys.increment(window.rkey());
        pair.right.post(pair.right
                .request(1)
                .bindMemoryWindow(window, key, region, region.address(), LENGTH, Access.REMOTE_WRITE));
        pair.expect(pair.right, 1);
        assertEquals(CompletionStatus.SUCCESS, pair.right.completions.getFirst().status());
        return key;
    }
}
