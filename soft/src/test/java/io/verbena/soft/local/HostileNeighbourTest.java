package io.verbena.soft.local;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.soft.OverSharedMemory;
import io.verbena.soft.rig.ConnectionEnd;
import io.verbena.verbs.MemoryRegion;
import io.verbena.verbs.attr.Access;
import io.verbena.verbs.attr.CompletionStatus;
import io.verbena.verbs.attr.Operation;
import io.verbena.verbs.attr.QueuePairState;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// A hostile program of the same user writes random data into shared memory. More rounds by `-Dverbena.test.rounds`.
@EnabledOnOs(OS.LINUX)
class HostileNeighbourTest implements OverSharedMemory {
    private static final long SEED = Long.getLong("verbena.test.seed", System.nanoTime());
    private static final int ROUNDS = Integer.getInteger("verbena.test.rounds", 8);
    private static final int RECEIVE_AT = 500_000;
    private static final int RECEIVE_BYTES = 40_000;
    private static final int FAR = 700_000;
    private static final int FAR_BYTES = 1000;

    private final Random random = new Random(SEED);
    private SharedPair pair;

    @BeforeEach
    void say() {
        System.out.println("seed " + SEED);
    }

    @AfterEach
    void close() {
        if (pair != null) {
            pair.close();
        }
    }

    private void open() {
        close();
        pair = new SharedPair(SharedPair.IMPATIENT);
        pair.right.receive(9, RECEIVE_AT, RECEIVE_BYTES);
        pair.left.send(1, 0, 100);
        pair.left.read(2, 0, 1000, 1000);
        assertTrue(pair.driveUntil(() -> pair.left.completions.size() == 2), pair::state);
        pair.left.completions.clear();
        for (int i = 0; i < 3; i++) {
            pair.right.receive(10 + i, RECEIVE_AT, RECEIVE_BYTES);
        }
        pair.right.fill(FAR, FAR_BYTES, 7);
    }

    /// All requests complete, with success or an error, and nothing else has happened.
    private void expectSoundness(String what) {
        expectSoundness(what, true);
    }

    /// @param intact whether successful requests must have the right bytes; not when the attacker changes payloads
    private void expectSoundness(String what, boolean intact) {
        byte[] far = pair.right.bytes(FAR, FAR_BYTES);
        pair.left.fill(0, 30_000, 8);
        if (pair.left.qp.state() == QueuePairState.RTS) {
            pair.left.send(1, 0, 30_000);
            pair.left.write(2, 0, 30_000, 0);
            pair.left.read(3, FAR, FAR_BYTES, 40_000);
            assertTrue(pair.driveUntil(() -> pair.left.completions.size() >= 3), () -> what + ": hangs " + state());
        }
        boolean allGood = pair.left.completions.stream().allMatch(c -> c.status() == CompletionStatus.SUCCESS);
        if (intact && allGood && pair.left.completions.size() == 3) {
            assertArrayEquals(far, pair.left.bytes(40_000, FAR_BYTES), what);
            // A forged entry counts as executed, so its author's own WRITE may complete before it is.
            assertTrue(
                    pair.driveUntil(() -> Arrays.equals(pair.left.bytes(0, 30_000), pair.right.bytes(0, 30_000))),
                    () -> what + ": wrong bytes " + state());
        }
        assertEquals(0, pair.faults(), () -> what + ": " + state());
        assertArrayEquals(far, pair.right.bytes(FAR, FAR_BYTES), what);
    }

    private String state() {
        return pair.state() + " seed " + SEED;
    }

    private byte[] bytes(int count) {
        byte[] bytes = new byte[count];
        random.nextBytes(bytes);
        return bytes;
    }

    private void noise(MemorySegment memory, long at, int bytes) {
        int length = (int) Math.min(bytes, memory.byteSize() - at);
        MemorySegment.copy(bytes(length), 0, memory, ValueLayout.JAVA_BYTE, at, length);
    }

    @Test
    void shouldSurviveNoiseInTheRings() {
        for (int i = 0; i < ROUNDS; i++) {
            open();
            MemorySegment lane = pair.lane(i % 2 == 0 ? pair.right : pair.left);
            noise(lane, LaneLayout.REQUESTS_AT + random.nextInt(1000), random.nextInt((int) LaneLayout.BYTES));
            expectSoundness("noise in the rings");
        }
    }

    @Test
    void shouldSurviveNoiseInTheWordsOfALane() {
        for (int i = 0; i < 2 * ROUNDS; i++) {
            open();
            MemorySegment lane = pair.lane(i % 2 == 0 ? pair.right : pair.left);
            noise(lane, random.nextInt((int) LaneLayout.REQUESTS_AT), 8 + random.nextInt(500));
            expectSoundness("noise in the words");
        }
    }

    /// While both ends are at work, by a thread that never stops.
    @Test
    void shouldSurviveNoiseUnderWay() throws InterruptedException {
        for (int i = 0; i < ROUNDS; i++) {
            open();
            MemorySegment lane = pair.lane(i % 2 == 0 ? pair.right : pair.left);
            Random other = new Random(random.nextLong());
            Thread hostile = Thread.ofPlatform().start(() -> {
                while (!Thread.interrupted()) {
                    // Aligned words, as a program would store them; among them words that are nearly right.
                    long at = 8 * other.nextLong(LaneLayout.BYTES / 8);
                    long near = lane.get(ValueLayout.JAVA_LONG, at) + other.nextInt(5) - 2;
                    lane.set(ValueLayout.JAVA_LONG, at, other.nextBoolean() ? other.nextLong() : near);
                }
            });
            try {
                expectSoundness("noise under way", false);
            } finally {
                hostile.interrupt();
                hostile.join();
            }
        }
    }

    /// Entries with the right mark and random contents.
    @Test
    void shouldSurviveForgedRequests() {
        for (int i = 0; i < 8 * ROUNDS; i++) {
            if (pair == null || pair.left.qp.state() != QueuePairState.RTS || i % 8 == 0) {
                open();
            }
            int kind = random.nextInt(6) == 0 ? random.nextInt(64) : random.nextInt(Operation.values().length);
            int flags = random.nextInt(16);
            int length = random.nextInt(4) == 0 ? random.nextInt() : random.nextInt(20_000);
            if (pair.right.qp.state() == QueuePairState.RTS) {
                pair.forge(pair.right, LaneLayout.form(kind, flags, length), bytes(random.nextInt(2000)));
                OpenPair.pollOften(pair);
            }
            // The forger's own later requests may lie in the cells that its entry claims. They are skipped then, and
            // count as executed.
            expectSoundness("forged kind " + kind + " flags " + flags + " length " + length, false);
            pair.left.completions.clear();
        }
    }

    /// Replies without a request, of any kind and length.
    @Test
    void shouldSurviveForgedReplies() {
        for (int i = 0; i < ROUNDS; i++) {
            open();
            int kind = random.nextBoolean() ? random.nextInt(64) : Operation.RDMA_READ.ordinal();
            int length = random.nextInt(3) == 0 ? random.nextInt() : random.nextInt(4000);
            SharedPair.forge(
                    pair.lane(pair.right),
                    LaneLayout.REPLIES_AT,
                    LaneLayout.REPLY_CELLS,
                    0,
                    LaneLayout.form(kind, random.nextInt(16), length),
                    bytes(random.nextInt(4000)));
            expectSoundness("forged reply of kind " + kind + " length " + length);
        }
    }

    /// A peer that acknowledges a READ without a reply.
    @Test
    void shouldGiveUpWaitingForAnAnswerThatNeverComes() {
        open();
        // The program's own memory is not open to direct access, so the READ is sent as an entry, which no responder
        // serves.
        MemorySegment lane = pair.lane(pair.right);
        SharedPair.hold(pair.right, () -> {
            MemoryRegion region =
                    pair.right.pd.register(Arena.ofAuto().allocate(4096, 4096), Access.LOCAL_WRITE, Access.REMOTE_READ);
            pair.left.post(
                    pair.left.request(5).read(region.address(), region.rkey()).into(pair.left.memory, 0, 100));
            lane.set(ValueLayout.JAVA_LONG, LaneLayout.EXECUTED_AT, executedBehindNext(lane));
            assertTrue(SharedPair.driveUntil(() -> !pair.left.completions.isEmpty(), pair.left), this::state);
        });
        assertEquals(
                CompletionStatus.RETRY_EXCEEDED,
                pair.left.completions.getFirst().status());
    }

    /// Pretends that the entry at the responder's head was executed: a fixed part of 32 bytes and no payload.
    private static long executedBehindNext(MemorySegment lane) {
        return lane.get(ValueLayout.JAVA_LONG, LaneLayout.EXECUTED_AT) + LaneLayout.cells(32);
    }

    @Test
    void shouldSurviveForgedVerdicts() {
        for (int i = 0; i < 2 * ROUNDS; i++) {
            open();
            MemorySegment lane = pair.lane(pair.right);
            // Most are of those that ask to wait, and not for long.
            int syndrome = random.nextInt(3) == 0 ? random.nextInt() : 0x20 | 1 + random.nextInt(8);
            lane.set(ValueLayout.JAVA_LONG, LaneLayout.VERDICT_POSITION_AT, random.nextInt(40) - 10);
            lane.set(ValueLayout.JAVA_INT, LaneLayout.VERDICT_SYNDROME_AT, syndrome);
            lane.set(ValueLayout.JAVA_INT, LaneLayout.VERDICT_COUNT_AT, random.nextInt());
            expectSoundness("verdict 0x" + Integer.toHexString(syndrome));
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3, 4, 5})
    void shouldFetchNothingOutsideOfRegions(int wrong) {
        open();
        int slot = DeviceLayout.regionSlot(pair.left.memory.lkey());
        long registration = DeviceLayout.load(pair.page(pair.left), DeviceLayout.regionAt(slot));
        byte[] before = pair.right.bytes(0, SharedPair.BYTES);
        // A fixed part, then registration, offset and slot.
        byte[] behind = new byte[64];
        MemorySegment entry = MemorySegment.ofArray(behind);
        entry.set(ValueLayout.JAVA_LONG_UNALIGNED, 32, wrong == 2 ? registration + 1 : registration);
        long offset = switch (wrong) {
            case 3 -> -1L;
            case 4 -> SharedPair.BYTES - 4095;
            case 5 -> Long.MAX_VALUE - 10;
            default -> 0L;
        };
        entry.set(ValueLayout.JAVA_LONG_UNALIGNED, 40, offset);
        int named = switch (wrong) {
            case 0 -> -1;
            case 1 -> DeviceLayout.REGIONS;
            default -> slot;
        };
        entry.set(ValueLayout.JAVA_INT_UNALIGNED, 48, named);
        pair.forge(pair.right, LaneLayout.form(Operation.SEND.ordinal(), LaneLayout.REFERENCE, 4096), behind);
        assertTrue(pair.driveUntil(() -> pair.right.qp.state() == QueuePairState.ERR), this::state);
        assertArrayEquals(before, pair.right.bytes(0, SharedPair.BYTES));
        expectSoundness("reference " + wrong);
    }

    @Test
    void shouldSurviveNoiseInTheDevicePage() {
        for (int i = 0; i < ROUNDS; i++) {
            open();
            ConnectionEnd victim = i % 2 == 0 ? pair.right : pair.left;
            MemorySegment page = pair.page(victim);
            for (int slot = 0; slot < DeviceLayout.REGIONS; slot++) {
                long at = DeviceLayout.regionAt(slot);
                if (DeviceLayout.load(page, at) != 0) {
                    long number = random.nextBoolean() ? random.nextLong() : DeviceLayout.load(page, at) + 1;
                    noise(page, at + 8, 40);
                    page.set(ValueLayout.JAVA_LONG, at, number);
                }
            }
            noise(page, DeviceLayout.queuePairAt(victim.qp.number()), 32);
            page.set(ValueLayout.JAVA_INT, DeviceLayout.queueAt(0) + DeviceLayout.ASLEEP, random.nextInt());
            page.set(ValueLayout.JAVA_INT, DeviceLayout.ENGINE_ASLEEP_AT, random.nextInt());
            page.set(ValueLayout.JAVA_LONG, DeviceLayout.ENGINE_NEWS_AT, random.nextLong());
            expectSoundness("noise in the device page");
        }
    }

    @Test
    void shouldFailConnectionWithAnEntryThatCannotBe() {
        open();
        pair.forge(pair.right, LaneLayout.form(62, 0, 10), new byte[10]);
        assertTrue(pair.driveUntil(() -> pair.right.completions.size() >= 4), this::state);
        assertEquals(
                CompletionStatus.WORK_REQUEST_FLUSHED,
                pair.right.completions.getLast().status());
        assertEquals(QueuePairState.ERR, pair.right.qp.state());
        expectSoundness("broken lane");
    }
}
