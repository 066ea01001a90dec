package io.verbena.soft.shm;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.roce.header.Bth;
import io.verbena.roce.packet.Opcode;
import io.verbena.soft.OverSharedMemory;
import io.verbena.soft.engine.Counter;
import io.verbena.soft.rig.End;
import io.verbena.verbs.attr.CompletionStatus;
import io.verbena.verbs.attr.QueuePairState;
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

/// A program of the same user that writes what no device writes. More rounds by `-Dverbena.test.rounds`.
@EnabledOnOs(OS.LINUX)
class HostileNeighbourTest implements OverSharedMemory {
    private static final long SEED = Long.getLong("verbena.test.seed", System.nanoTime());
    private static final int ROUNDS = Integer.getInteger("verbena.test.rounds", 8);
    private static final int RECEIVE_AT = 500_000;
    private static final int RECEIVE_BYTES = 40_000;
    private static final int FAR = 700_000;

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
        assertTrue(pair.driveUntil(() -> pair.left.completions.size() == 2));
        pair.left.completions.clear();
        for (int i = 0; i < 3; i++) {
            pair.right.receive(10 + i, RECEIVE_AT, RECEIVE_BYTES);
        }
    }

    /// All that is asked for comes to an end, good or bad, and nothing else has happened.
    private void expectSoundness(String what) {
        byte[] far = pair.right.fill(FAR, 1000, 7);
        pair.left.fill(0, 30_000, 8);
        if (pair.left.qp.state() == QueuePairState.RTS) {
            pair.left.send(1, 0, 30_000);
            pair.left.write(2, 0, 30_000, 0);
            pair.left.read(3, FAR, 1000, 40_000);
            assertTrue(pair.driveUntil(() -> pair.left.completions.size() >= 3), what + ": hangs, " + state());
        }
        boolean allGood = pair.left.completions.stream().allMatch(c -> c.status() == CompletionStatus.SUCCESS);
        if (allGood && pair.left.completions.size() == 3) {
            assertArrayEquals(far, pair.left.bytes(40_000, 1000), what);
            assertArrayEquals(pair.left.bytes(0, 30_000), pair.right.bytes(0, 30_000), what);
        }
        assertEquals(0, pair.faults(), what + ": " + state());
        assertArrayEquals(far, pair.right.bytes(FAR, 1000), what);
    }

    private String state() {
        return pair.left.completions + " " + pair.left.context.counters() + " " + pair.right.context.counters();
    }

    private byte[] bytes(int count) {
        byte[] bytes = new byte[count];
        random.nextBytes(bytes);
        return bytes;
    }

    /// A packet that is right up to the end of its first header.
    private byte[] packet(End victim, Opcode opcode, int psn, int more) {
        byte[] packet = bytes(opcode.headerBytes() + more);
        MemorySegment memory = MemorySegment.ofArray(packet);
        int pad = random.nextInt(4);
        Bth.write(memory, 0, opcode.code(), false, pad, victim.qp.number(), random.nextBoolean(), psn);
        return packet;
    }

    @Test
    void shouldSurviveRandomRing() {
        for (int i = 0; i < ROUNDS; i++) {
            open();
            try (SharedFile inbox = pair.inbox(pair.right)) {
                int at = (int) InboxLayout.RING_AT + random.nextInt(1000);
                byte[] noise = bytes(random.nextInt(100_000));
                MemorySegment.copy(noise, 0, inbox.memory(), ValueLayout.JAVA_BYTE, at, noise.length);
            }
            expectSoundness("noise in the ring");
        }
    }

    @Test
    void shouldSurviveRandomHeader() {
        for (int i = 0; i < ROUNDS; i++) {
            open();
            try (SharedFile inbox = pair.inbox(i % 2 == 0 ? pair.right : pair.left)) {
                byte[] noise = bytes(8 + random.nextInt(200));
                MemorySegment.copy(noise, 0, inbox.memory(), ValueLayout.JAVA_BYTE, random.nextInt(130), noise.length);
            }
            expectSoundness("noise in the header");
        }
    }

    @Test
    void shouldSurviveForgedEntries() {
        for (int i = 0; i < ROUNDS; i++) {
            open();
            try (SharedFile inbox = pair.inbox(pair.right)) {
                int kind = random.nextInt(5) == 0 ? random.nextInt() : random.nextInt(4);
                int length = random.nextInt(3) == 0 ? random.nextInt() : random.nextInt(20_000);
                SharedPair.forge(inbox.memory(), kind, length, bytes(random.nextInt(2000)));
            }
            expectSoundness("forged entry");
        }
    }

    @Test
    void shouldSurviveForgedPackets() {
        Opcode[] opcodes = Arrays.stream(Opcode.values())
                .filter(o -> o.name().startsWith("RC_"))
                .toArray(Opcode[]::new);
        for (int i = 0; i < 4 * ROUNDS; i++) {
            if (i % 4 == 0) {
                open();
            }
            End victim = random.nextBoolean() ? pair.right : pair.left;
            Opcode opcode = opcodes[random.nextInt(opcodes.length)];
            int psn = (victim == pair.right ? 100 : 200) + random.nextInt(4) - 1;
            byte[] packet = packet(victim, opcode, psn, random.nextInt(3000));
            if (victim.qp.state() != QueuePairState.RTS) {
                continue;
            }
            try (SharedFile inbox = pair.inbox(victim)) {
                SharedPair.forge(inbox.memory(), random.nextBoolean() ? 0 : 2, packet.length, packet);
            }
            expectSoundness("forged " + opcode);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3, 4, 5})
    void shouldFetchNothingOutsideOfRegions(int wrong) {
        open();
        int slot = DeviceLayout.regionSlot(pair.left.memory.lkey());
        long registration;
        try (SharedFile device = pair.device(pair.left)) {
            registration = DeviceLayout.load(device.memory(), DeviceLayout.regionAt(slot));
        }
        byte[] before = pair.right.bytes(0, SharedPair.BYTES);
        byte[] packet = packet(pair.right, Opcode.RC_SEND_ONLY, 101, InboxLayout.REFERENCE_BYTES);
        MemorySegment reference = MemorySegment.ofArray(packet).asSlice(Opcode.RC_SEND_ONLY.headerBytes());
        reference.set(
                ValueLayout.JAVA_INT_UNALIGNED,
                InboxLayout.REFERENCE_SLOT,
                switch (wrong) {
                    case 0 -> -1;
                    case 1 -> DeviceLayout.REGIONS;
                    default -> slot;
                });
        reference.set(
                ValueLayout.JAVA_INT_UNALIGNED, InboxLayout.REFERENCE_LENGTH, wrong == 4 ? SharedPair.BYTES + 1 : 4096);
        reference.set(
                ValueLayout.JAVA_LONG_UNALIGNED,
                InboxLayout.REFERENCE_REGISTRATION,
                wrong == 2 ? registration + 1 : registration);
        reference.set(
                ValueLayout.JAVA_LONG_UNALIGNED,
                InboxLayout.REFERENCE_OFFSET,
                switch (wrong) {
                    case 3 -> -1L;
                    case 5 -> Long.MAX_VALUE - 10;
                    default -> 0L;
                });
        long dropped = pair.right.counter(Counter.DROPPED_BAD_SHARED);
        try (SharedFile inbox = pair.inbox(pair.right)) {
            SharedPair.forge(inbox.memory(), InboxLayout.REFERENCE, packet.length, packet);
        }
        assertTrue(pair.driveUntil(() -> pair.right.counter(Counter.DROPPED_BAD_SHARED) > dropped), this::state);
        assertArrayEquals(before, pair.right.bytes(0, SharedPair.BYTES));
        expectSoundness("reference " + wrong);
    }

    @Test
    void shouldSurviveRandomDeviceFile() {
        for (int i = 0; i < ROUNDS; i++) {
            open();
            try (SharedFile device = pair.device(i % 2 == 0 ? pair.right : pair.left)) {
                MemorySegment memory = device.memory();
                for (int slot = 0; slot < DeviceLayout.REGIONS; slot++) {
                    long at = DeviceLayout.regionAt(slot);
                    if (DeviceLayout.load(memory, at) != 0) {
                        byte[] noise = bytes(48 - 8);
                        MemorySegment.copy(noise, 0, memory, ValueLayout.JAVA_BYTE, at + 8, noise.length);
                        long number = random.nextBoolean() ? random.nextLong() : DeviceLayout.load(memory, at) + 1;
                        memory.set(ValueLayout.JAVA_LONG, at, number);
                    }
                }
                memory.set(ValueLayout.JAVA_INT, DeviceLayout.ASLEEP_AT, random.nextInt());
            }
            expectSoundness("noise in the device file");
        }
    }

    @Test
    void shouldFailConnectionWhoseInboxIsBroken() {
        open();
        try (SharedFile inbox = pair.inbox(pair.right)) {
            SharedPair.forge(inbox.memory(), 5, 10, new byte[10]);
        }
        assertTrue(pair.driveUntil(() -> pair.right.completions.size() >= 4), this::state);
        assertEquals(
                CompletionStatus.WORK_REQUEST_FLUSHED,
                pair.right.completions.getLast().status());
        assertEquals(QueuePairState.ERR, pair.right.qp.state());
        expectSoundness("broken inbox");
    }
}
