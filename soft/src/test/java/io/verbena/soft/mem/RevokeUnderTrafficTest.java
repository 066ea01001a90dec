package io.verbena.soft.mem;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.soft.engine.Counter;
import io.verbena.soft.fault.FaultPlan;
import io.verbena.soft.rig.SimulatedPair;
import io.verbena.verbs.Keys;
import io.verbena.verbs.MemoryRegion;
import io.verbena.verbs.MemoryWindow;
import io.verbena.verbs.SendRequest;
import io.verbena.verbs.attr.Access;
import io.verbena.verbs.attr.CompletionStatus;
import io.verbena.verbs.attr.MemoryWindowType;
import io.verbena.verbs.attr.Mtu;
import io.verbena.verbs.attr.QueuePairState;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Access is revoked while the peer uses it, at any moment, on a lossy network: no byte moves afterwards.
class RevokeUnderTrafficTest {
    private static final int LENGTH = 64 << 10;
    private static final int RUNS = 40;

    private enum End {
        INVALIDATE,
        CLOSE_WINDOW,
        CLOSE_REGION,
        REREGISTER
    }

    @ParameterizedTest
    @EnumSource(End.class)
    void shouldMoveNoByteOfAWriteAfterTheEnd(End end) {
        runAll(end, false);
    }

    @ParameterizedTest
    @EnumSource(End.class)
    void shouldEndAReadHalfWay(End end) {
        runAll(end, true);
    }

    private static void runAll(End end, boolean read) {
        int refused = 0;
        int halfWay = 0;
        for (long seed = 0; seed < RUNS; seed++) {
            int moved = run(end, seed, read);
            refused += moved < LENGTH ? 1 : 0;
            halfWay += moved > 0 && moved < LENGTH ? 1 : 0;
        }
        assertTrue(refused > 0 && halfWay > 0, refused + " were refused, " + halfWay + " of them half way");
    }

    /// How many bytes had come to the other side when it was over.
    private static int run(End end, long seed, boolean read) {
        String where = end + ", seed " + seed;
        Random random = new Random(seed);
        try (SimulatedPair pair = new SimulatedPair(seed, LENGTH).connect(Mtu.MTU_256);
                Arena arena = Arena.ofShared()) {
            boolean losing = random.nextBoolean();
            pair.faults(FaultPlan.none().withLoss(losing ? 0.01 : 0));
            MemorySegment bytes = arena.allocate(LENGTH);
            MemoryRegion region = pair.right.pd.register(
                    bytes, Access.LOCAL_WRITE, Access.REMOTE_WRITE, Access.REMOTE_READ, Access.MEMORY_WINDOW_BIND);
            MemoryWindow window = pair.right.pd.allocateMemoryWindow(MemoryWindowType.TYPE_2);
            boolean byWindow = end == End.INVALIDATE || end == End.CLOSE_WINDOW;
            int rkey = byWindow ? bind(pair, window, region) : region.rkey();
            MemorySegment target = read ? pair.left.memory.memory() : bytes;
            (read ? bytes : pair.left.memory.memory()).fill((byte) 7);
            SendRequest request = pair.left.request(1);
            pair.left.post(
                    read
                            ? request.read(region.address(), rkey).into(pair.left.memory, 0, LENGTH)
                            : request.write(region.address(), rkey).from(pair.left.memory, 0, LENGTH));
            pair.run(Duration.ofNanos(random.nextInt(100_000)));
            end(pair, end, window, region, rkey);
            byte[] atTheEnd = bytes.toArray(ValueLayout.JAVA_BYTE);
            pair.expect(pair.left, 1);
            assertEquals(-1, bytes.mismatch(MemorySegment.ofArray(atTheEnd)), where);
            int moved = count(target);
            expectEnd(pair, moved == LENGTH, losing, where);
            pair.right.context.closeAll();
            return moved;
        }
    }

    private static int count(MemorySegment target) {
        int moved = 0;
        for (byte value : target.toArray(ValueLayout.JAVA_BYTE)) {
            moved += value == 7 ? 1 : 0;
        }
        return moved;
    }

    /// The refusal is sent once, and a READ that was answered is not refused when it is asked for again: where
    /// packets are lost the peer may hear nothing more.
    private static void expectEnd(SimulatedPair pair, boolean complete, boolean losing, String where) {
        CompletionStatus status = pair.left.completions.getFirst().status();
        if (status == CompletionStatus.SUCCESS) {
            assertTrue(complete, where);
        } else if (status != CompletionStatus.RETRY_EXCEEDED || !losing) {
            assertEquals(CompletionStatus.REMOTE_ACCESS_ERROR, status, where);
            assertEquals(QueuePairState.ERR, pair.right.qp.state(), where);
        }
        assertEquals(0, pair.left.counter(Counter.ENGINE_FAULTS), where);
        assertEquals(0, pair.right.counter(Counter.ENGINE_FAULTS), where);
    }

    private static int bind(SimulatedPair pair, MemoryWindow window, MemoryRegion region) {
        pair.right.post(pair.right
                .request(1)
                .bindMemoryWindow(
                        window,
                        Keys.increment(window.rkey()),
                        region,
                        region.address(),
                        LENGTH,
                        Access.REMOTE_WRITE,
                        Access.REMOTE_READ));
        pair.expect(pair.right, 1);
        return window.rkey();
    }

    private static void end(SimulatedPair pair, End end, MemoryWindow window, MemoryRegion region, int rkey) {
        switch (end) {
            case INVALIDATE -> {
                pair.right.post(pair.right.request(2).localInvalidate(rkey));
                pair.expect(pair.right, 2);
                assertEquals(
                        CompletionStatus.SUCCESS, pair.right.completions.get(1).status());
            }
            case CLOSE_WINDOW -> window.close();
            case CLOSE_REGION -> region.close();
            case REREGISTER -> region.reregister(null, null, Set.of(Access.LOCAL_WRITE));
        }
    }
}
