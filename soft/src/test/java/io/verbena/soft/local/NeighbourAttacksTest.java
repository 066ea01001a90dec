package io.verbena.soft.local;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.soft.OverSharedMemory;
import io.verbena.soft.option.SoftPath;
import io.verbena.soft.os.NanoClock;
import io.verbena.soft.rig.ConnectionEnd;
import io.verbena.verbs.MemoryRegion;
import io.verbena.verbs.QueuePair;
import io.verbena.verbs.QueuePairChange;
import io.verbena.verbs.QueuePairOptions;
import io.verbena.verbs.attr.Access;
import io.verbena.verbs.attr.CompletionStatus;
import io.verbena.verbs.attr.Operation;
import io.verbena.verbs.attr.QueuePairState;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// A hostile program of the same user that knows the layout, unlike that of [HostileNeighbourTest]. It tries to keep
/// the victim busy, waiting, or short of memory.
@EnabledOnOs(OS.LINUX)
class NeighbourAttacksTest implements OverSharedMemory {
    private static final int FIXED_BYTES = 32;
    private static final int REFERENCE_BYTES = 32;

    private SharedPair pair;

    @AfterEach
    void close() {
        if (pair != null) {
            assertEquals(0, pair.faults(), pair::state);
            pair.close();
        }
    }

    /// The bytes of a WRITE behind its header: the destination and, if its payload is in a region, the reference.
    private static byte[] write(MemoryRegion to, int length, int slot, long registration) {
        byte[] behind = new byte[FIXED_BYTES + REFERENCE_BYTES];
        MemorySegment entry = MemorySegment.ofArray(behind);
        entry.set(ValueLayout.JAVA_LONG_UNALIGNED, 0, to.address());
        entry.set(ValueLayout.JAVA_INT_UNALIGNED, 8, to.rkey());
        entry.set(ValueLayout.JAVA_LONG_UNALIGNED, 16, length);
        entry.set(ValueLayout.JAVA_LONG_UNALIGNED, FIXED_BYTES, registration);
        entry.set(ValueLayout.JAVA_INT_UNALIGNED, FIXED_BYTES + 16, slot);
        return behind;
    }

    private static long form(int length) {
        return LaneLayout.form(Operation.RDMA_WRITE.ordinal(), LaneLayout.REFERENCE, length);
    }

    private void expectMessage(ConnectionEnd from, ConnectionEnd to) {
        from.completions.clear();
        to.completions.clear();
        byte[] data = from.fill(0, 1000, 5);
        to.receive(1, 9000, 1000);
        from.send(2, 0, 1000);
        assertTrue(pair.driveUntil(() -> from.completions.size() == 1 && to.completions.size() == 1), pair::state);
        assertEquals(CompletionStatus.SUCCESS, to.completions.getFirst().status());
        assertArrayEquals(data, to.bytes(9000, 1000));
    }

    /// Empty replies do not advance the READ, so they do not count as progress.
    @Test
    void shouldFailAReadThatIsAnsweredWithNothingAgainAndAgain() {
        pair = OpenPair.open();
        MemorySegment lane = pair.lane(pair.right);
        MemoryRegion hidden =
                pair.right.pd.register(Arena.ofAuto().allocate(4096, 4096), Access.LOCAL_WRITE, Access.REMOTE_READ);
        SharedPair.hold(pair.right, () -> {
            pair.left.post(
                    pair.left.request(5).read(hidden.address(), hidden.rkey()).into(pair.left.memory, 0, 100));
            // As many as the ring holds: another thread may be reading it, and late.
            for (int i = 0; i < LaneLayout.REPLY_CELLS && pair.left.completions.isEmpty(); i++) {
                long form = LaneLayout.form(Operation.RDMA_READ.ordinal(), 0, 0);
                SharedPair.forge(lane, LaneLayout.REPLIES_AT, LaneLayout.REPLY_CELLS, i, form, new byte[0]);
                pair.left.poll();
            }
            assertTrue(SharedPair.driveUntil(() -> !pair.left.completions.isEmpty(), pair.left), "no completion");
            assertEquals(List.of(CompletionStatus.BAD_RESPONSE), pair.left.statuses());
        });
    }

    @Test
    void shouldWorkAndCloseUnderNewsThatNeverEnd() throws InterruptedException {
        pair = OpenPair.open();
        MemorySegment page = pair.page(pair.right);
        int number = pair.right.qp.number();
        Thread hostile = Thread.ofPlatform().daemon().start(() -> {
            while (!Thread.interrupted()) {
                DeviceLayout.LONG.getAndAdd(page, DeviceLayout.queueAt(0) + DeviceLayout.NEWS, 1L);
                DeviceLayout.LONG.getAndAdd(page, DeviceLayout.queuePairAt(number) + DeviceLayout.QUEUE_PAIR_NEWS, 1L);
                DeviceLayout.LONG.getAndAdd(page, DeviceLayout.ENGINE_NEWS_AT, 1L);
            }
        });
        try {
            for (int i = 0; i < 100; i++) {
                expectMessage(pair.left, pair.right);
                expectMessage(pair.right, pair.left);
            }
            pair.right.context.closeAll();
        } finally {
            hostile.interrupt();
            hostile.join();
        }
    }

    /// A peer that is stopped in the middle of a copy, or claims so, delays the first close, not every one.
    @Test
    void shouldWaitOnceForANeighbourThatNeverLeaves() {
        pair = OpenPair.open();
        List<MemoryRegion> regions = new ArrayList<>();
        List<QueuePair> connections = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            regions.add(pair.right.pd.allocate(4096, Access.LOCAL_WRITE));
            QueuePair peer = pair.left.pd.createQueuePair(QueuePairOptions.rc(pair.left.cq));
            QueuePair own = pair.right.pd.createQueuePair(QueuePairOptions.rc(pair.right.cq));
            SharedPair.connect(own, pair.left, peer.number(), 1, 1, SharedPair.PATIENT);
            pair.lane(pair.right).set(ValueLayout.JAVA_INT, LaneLayout.REQUESTER_BUSY_AT, 1);
            connections.add(own);
        }
        long startNs = NanoClock.SYSTEM.nowNs();
        connections.removeFirst().close();
        regions.forEach(MemoryRegion::close);
        connections.forEach(QueuePair::close);
        // The first connection waits for 0.2 s. If each region did for 5 s, it would be 40 s.
        assertTrue(NanoClock.SYSTEM.nowNs() - startNs < 10_000_000_000L);
        expectMessage(pair.left, pair.right);
    }

    @Test
    void shouldEndAConnectionWhosePeerNeverStopsWriting() throws InterruptedException {
        pair = new SharedPair(SharedPair.PATIENT);
        MemorySegment lane = pair.lane(pair.right);
        int slot = DeviceLayout.regionSlot(pair.left.memory.lkey());
        long registration = DeviceLayout.load(pair.page(pair.left), DeviceLayout.regionAt(slot));
        int length = SharedPair.BYTES;
        byte[] behind = write(pair.right.memory, length, slot, registration);
        int cells = LaneLayout.cells(behind.length);
        Thread hostile = Thread.ofPlatform().daemon().start(() -> {
            RingWriter ring = new RingWriter(lane, LaneLayout.REQUESTS_AT, LaneLayout.REQUEST_CELLS);
            while (!Thread.interrupted()) {
                ring.onConsumed(lane.get(ValueLayout.JAVA_LONG, LaneLayout.EXECUTED_AT));
                if (ring.hasRoom(cells)) {
                    long at = ring.claim(cells) + LaneLayout.HEADER_BYTES;
                    MemorySegment.copy(behind, 0, ring.memory(), ValueLayout.JAVA_BYTE, at, behind.length);
                    ring.publish(cells, form(length), 0);
                }
            }
        });
        try {
            assertTrue(pair.driveUntil(() -> executed(lane) > 2L * LaneLayout.REQUEST_CELLS), pair::state);
            SharedPair.hold(pair.right, () -> {
                long before = executed(lane);
                pair.right.qp.modify(QueuePairChange.to(QueuePairState.ERR));
                assertTrue(executed(lane) - before <= 2L * LaneLayout.REQUEST_CELLS, "more than the ring held");
            });
        } finally {
            hostile.interrupt();
            hostile.join();
        }
    }

    private static long executed(MemorySegment lane) {
        return (long) LaneLayout.LONG.getVolatile(lane, LaneLayout.EXECUTED_AT);
    }

    /// Each reference names a new registration, so each must be mapped.
    @Test
    void shouldNotCollectMappingsOfRegionsThatChangeAllTheTime() {
        pair = OpenPair.open();
        int slot = DeviceLayout.regionSlot(pair.left.memory.lkey());
        long at = DeviceLayout.regionAt(slot);
        MemorySegment page = pair.page(pair.left);
        long nonce = page.get(ValueLayout.JAVA_LONG, at + DeviceLayout.REGION_NONCE);
        MemorySegment lane = pair.lane(pair.right);
        for (int i = 1; i <= 200; i++) {
            page.set(ValueLayout.JAVA_LONG, at, 1000L + i);
            long head = executed(lane);
            pair.forge(pair.right, form(4096), write(pair.right.memory, 4096, slot, 1000L + i));
            assertTrue(pair.driveUntil(() -> executed(lane) > head), pair::state);
        }
        assertEquals(QueuePairState.RTS, pair.right.qp.state());
        assertTrue(pair.driveUntil(() -> mappings(nonce) <= 2), () -> mappings(nonce) + " mappings");
    }

    private static long mappings(long nonce) {
        try (Stream<String> lines = Files.lines(Path.of("/proc/self/maps"))) {
            return lines.filter(line -> line.contains(HexFormat.of().toHexDigits(nonce)))
                    .count();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, Integer.MAX_VALUE})
    void shouldGoOverTheNetworkToANeighbourWhoseBellIsNone(int descriptor) {
        pair = SharedPair.told(SoftPath.AUTO, SoftPath.AUTO);
        pair.page(pair.right).set(ValueLayout.JAVA_INT, DeviceLayout.BELL_AT, descriptor);
        pair.connect(SharedPair.PATIENT);
        expectMessage(pair.left, pair.right);
        expectMessage(pair.right, pair.left);
        assertTrue(pair.packets() > 0);
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, DeviceLayout.COMPLETION_QUEUES, Integer.MIN_VALUE, Integer.MAX_VALUE})
    void shouldWakeNobodyElseForACompletionQueueThatIsNone(int slot) {
        pair = OpenPair.open();
        pair.lane(pair.right).set(ValueLayout.JAVA_INT, LaneLayout.SEND_QUEUE_SLOT_AT, slot);
        pair.lane(pair.left).set(ValueLayout.JAVA_INT, LaneLayout.RECEIVE_QUEUE_SLOT_AT, slot);
        expectMessage(pair.left, pair.right);
        expectMessage(pair.right, pair.left);
    }

    /// An endless message without bytes: its receive waits, all else works.
    @Test
    void shouldWorkBesideAMessageThatNeverEnds() {
        pair = OpenPair.open();
        pair.right.receive(3, 5000, 100);
        MemorySegment lane = pair.lane(pair.right);
        int flags = LaneLayout.MORE;
        for (int i = 0; i < 2000; i++) {
            long head = executed(lane);
            pair.forge(pair.right, LaneLayout.form(Operation.SEND.ordinal(), flags, 0), new byte[FIXED_BYTES]);
            assertTrue(pair.driveUntil(() -> executed(lane) > head), pair::state);
        }
        expectMessage(pair.right, pair.left);
        pair.right.completions.clear();
        pair.right.qp.modify(QueuePairChange.to(QueuePairState.ERR));
        assertTrue(pair.driveUntil(() -> pair.right.completions.size() == 1), pair::state);
        assertEquals(3, pair.right.completions.getFirst().wrId());
        assertEquals(
                CompletionStatus.WORK_REQUEST_FLUSHED,
                pair.right.completions.getFirst().status());
    }
}
