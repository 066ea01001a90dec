package io.verbena.soft.qp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.soft.local.LaneLayout;
import io.verbena.verbs.attr.Operation;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.EnumSet;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

/// The fields of a request behind the header of its entry.
class LocalEntryTest {
    private static final long SEED = Long.getLong("verbena.test.seed", System.nanoTime());
    private static final int AT = 64;

    private final MemorySegment ring = Arena.ofAuto().allocate(256, 64);
    private final RemoteRequest request = new RemoteRequest();

    @Test
    void shouldReadReferencesAsTheyWereWritten() {
        System.out.println("seed " + SEED);
        Random random = new Random(SEED);
        for (int i = 0; i < 1000; i++) {
            long registration = random.nextLong();
            int slot = random.nextInt();
            long offset = random.nextLong();
            LocalEntry.reference(ring, AT, registration, slot, offset);
            assertEquals(registration, LocalEntry.registration(ring, AT));
            assertEquals(slot, LocalEntry.slot(ring, AT));
            assertEquals(offset, LocalEntry.offset(ring, AT));
        }
        requireNothingBeside(LocalEntry.REFERENCE_BYTES);
    }

    @Test
    void shouldReadTheFixedPartAsItWasWritten() {
        Random random = new Random(SEED);
        for (int i = 0; i < 1000; i++) {
            long[] words = {random.nextLong(), random.nextLong(), random.nextLong(), random.nextLong()};
            for (int word = 0; word < words.length; word++) {
                ring.set(ValueLayout.JAVA_LONG, AT + 8L * word, words[word]);
            }
            LocalEntry.read(ring, AT, request);
            assertEquals(words[0], request.address);
            assertEquals(words[1], request.rkey & 0xFFFF_FFFFL | (long) request.immediate << 32);
            assertEquals(words[2], request.operand);
            assertEquals(words[3], request.swap);
            LocalEntry.total(ring, AT, i);
            LocalEntry.read(ring, AT, request);
            assertEquals(i, request.operand);
        }
        requireNothingBeside(LocalEntry.FIXED_BYTES);
    }

    private void requireNothingBeside(int bytes) {
        for (long at = 0; at < ring.byteSize(); at += 8) {
            if (at < AT || at >= AT + bytes) {
                assertEquals(0, ring.get(ValueLayout.JAVA_LONG, at), "beside the entry");
            }
        }
    }

    @Test
    void shouldSendBytesAlongOnlyWithWhatHasSome() {
        Set<Operation> with = EnumSet.noneOf(Operation.class);
        for (Operation operation : Operation.values()) {
            if (LocalEntry.hasPayload(operation)) {
                with.add(operation);
            }
        }
        assertEquals(
                EnumSet.of(
                        Operation.SEND,
                        Operation.SEND_WITH_IMMEDIATE,
                        Operation.SEND_WITH_INVALIDATE,
                        Operation.RDMA_WRITE,
                        Operation.RDMA_WRITE_WITH_IMMEDIATE,
                        Operation.ATOMIC_WRITE),
                with);
    }

    /// Each kind of entry fits into an empty ring, wherever that begins.
    @Test
    void shouldNotMakeEntriesThatNeverFit() {
        int largest = LaneLayout.cells(LocalEntry.FIXED_BYTES + LocalEntry.PIECE_BYTES);
        assertTrue(2 * largest + 1 <= LaneLayout.REQUEST_CELLS);
        assertTrue(2 * LaneLayout.cells(LocalEntry.REPLY_BYTES) + 1 <= LaneLayout.REPLY_CELLS);
        assertTrue(Operation.values().length < LaneLayout.SKIP, "kinds are ordinals");
    }
}
