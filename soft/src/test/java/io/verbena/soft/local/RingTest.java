package io.verbena.soft.local;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Compares a ring with a queue that does the same.
class RingTest {
    private static final long SEED = Long.getLong("verbena.test.seed", System.nanoTime());
    private static final int CELLS = 64;
    private static final long BASE = 128;
    /// Memory before and behind the ring, which must not change.
    private static final byte GUARD = 0x5A;

    private static final int LARGEST = (CELLS / 2 - 1) * LaneLayout.CELL_BYTES;

    private final Random random = new Random(SEED);
    private final MemorySegment memory = Arena.ofAuto()
            .allocate(BASE + CELLS * LaneLayout.CELL_BYTES + BASE, 64)
            .fill(GUARD);
    private final RingWriter writer;
    private final RingReader reader;

    private record Entry(int kind, int flags, int acknowledgement, byte[] payload) {}

    RingTest() {
        memory.asSlice(BASE, CELLS * LaneLayout.CELL_BYTES).fill((byte) 0);
        writer = new RingWriter(memory, BASE, CELLS);
        reader = new RingReader(memory, BASE, CELLS);
    }

    @BeforeEach
    void say() {
        System.out.println("seed " + SEED);
    }

    private Entry entry(int bytes) {
        byte[] payload = new byte[bytes];
        random.nextBytes(payload);
        if (random.nextBoolean()) {
            // Words that look like marks to come.
            MemorySegment words = MemorySegment.ofArray(payload);
            for (int at = 0; at + Long.BYTES <= bytes; at += Long.BYTES) {
                long mark = RingReader.mark(writer.tail() + random.nextInt(2 * CELLS)) << 32;
                words.set(ValueLayout.JAVA_LONG_UNALIGNED, at, mark);
            }
        }
        return new Entry(random.nextInt(LaneLayout.SKIP), random.nextInt(16), random.nextInt(), payload);
    }

    /// False when there is no room.
    private boolean put(Entry entry) {
        int cells = LaneLayout.cells(entry.payload.length);
        if (!writer.hasRoom(cells)) {
            return false;
        }
        long at = writer.claim(cells) - memory.address() + LaneLayout.HEADER_BYTES;
        MemorySegment.copy(entry.payload, 0, memory, ValueLayout.JAVA_BYTE, at, entry.payload.length);
        long form = LaneLayout.form(entry.kind, entry.flags, entry.payload.length);
        writer.publish(cells, form, entry.acknowledgement);
        return true;
    }

    private void take(Entry expected) {
        assertTrue(reader.next(), () -> "nothing there, seed " + SEED);
        assertTrue(reader.next(), "looking twice changes nothing");
        int length = LaneLayout.length(reader.form());
        assertEquals(expected.kind, LaneLayout.kind(reader.form()));
        assertEquals(expected.flags, LaneLayout.flags(reader.form()));
        assertEquals(expected.acknowledgement, reader.acknowledgement());
        assertTrue(reader.holds(length));
        assertArrayEquals(
                expected.payload,
                memory.asSlice(reader.bytesAt() - memory.address(), length).toArray(ValueLayout.JAVA_BYTE));
        reader.consume(LaneLayout.cells(length));
    }

    private void requireGuards() {
        MemorySegment before = memory.asSlice(0, BASE);
        MemorySegment behind = memory.asSlice(BASE + CELLS * LaneLayout.CELL_BYTES);
        for (long i = 0; i < BASE; i++) {
            assertEquals(GUARD, before.get(ValueLayout.JAVA_BYTE, i), () -> "before the ring, seed " + SEED);
            assertEquals(GUARD, behind.get(ValueLayout.JAVA_BYTE, i), () -> "behind the ring, seed " + SEED);
        }
    }

    @Test
    void shouldCarryEntriesOfAllSizesInOrderThroughManyRounds() {
        Deque<Entry> under = new ArrayDeque<>();
        while (writer.tail() < 500L * CELLS) {
            Entry entry = entry(random.nextInt(4) == 0 ? random.nextInt(LARGEST + 1) : random.nextInt(64));
            boolean room = put(entry);
            if (room) {
                under.add(entry);
            }
            int takes = room ? random.nextInt(3) : 1 + random.nextInt(under.size() + 1);
            for (int i = 0; i < takes && !under.isEmpty(); i++) {
                take(under.remove());
            }
            assertEquals(!under.isEmpty(), reader.next(), () -> "seed " + SEED);
            if (!room || random.nextInt(10) == 0) {
                writer.onConsumed(reader.head());
            }
            assertTrue(writer.tail() - writer.consumed() < CELLS, "full means one cell less");
        }
        requireGuards();
    }

    /// An entry ends at each cell of the ring, so that the rest is skipped from each cell.
    @Test
    void shouldSkipTheRestOfTheRingFromEveryPlace() {
        for (int filled = 0; filled < CELLS; filled++) {
            Entry small = entry(0);
            while ((writer.tail() & CELLS - 1) != filled) {
                assertTrue(put(small));
                take(small);
                writer.onConsumed(reader.head());
            }
            Entry large = entry(LARGEST);
            assertTrue(put(large), "an entry of half a ring fits into an empty one");
            take(large);
            assertFalse(reader.next());
            writer.onConsumed(reader.head());
        }
        requireGuards();
    }

    @Test
    void shouldRefuseWhenFullAndGoOnWhenTold() {
        Deque<Entry> under = new ArrayDeque<>();
        for (Entry entry = entry(8); put(entry); entry = entry(8)) {
            under.add(entry);
        }
        assertEquals((CELLS - 1) / LaneLayout.cells(8), under.size());
        while (!under.isEmpty()) {
            take(under.remove());
        }
        assertFalse(writer.hasRoom(2), "nobody told that there is room");
        writer.onConsumed(reader.head());
        assertTrue(writer.hasRoom(2));
    }

    @ParameterizedTest
    @ValueSource(longs = {Long.MAX_VALUE, Long.MIN_VALUE, -1, 0, 1L << 40, 9})
    void shouldNotBelieveThatMoreWasTakenThanSentNorThatLessWasThanBefore(long told) {
        for (int i = 0; i < 4; i++) {
            assertTrue(put(entry(64)));
        }
        writer.onConsumed(4);
        writer.onConsumed(told);
        assertEquals(4, writer.consumed());
        assertEquals(8, writer.tail());
    }

    /// Whatever the memory contains, the reader takes no entry that exceeds the ring.
    @Test
    void shouldHoldOnlyWhatLiesWithinTheRing() {
        for (int i = 0; i < 10_000; i++) {
            long head = reader.head();
            long at = BASE + (head & CELLS - 1) * LaneLayout.CELL_BYTES;
            int length = random.nextBoolean() ? random.nextInt() : random.nextInt(2 * LARGEST);
            boolean marked = random.nextInt(4) != 0;
            int kind = random.nextInt(64);
            memory.set(ValueLayout.JAVA_LONG, at + 8, LaneLayout.form(kind, random.nextInt(16), length));
            long mark = marked ? RingReader.mark(head) : random.nextInt(1 << 20) + head + 2;
            memory.set(ValueLayout.JAVA_LONG, at, mark << 32);
            boolean there = reader.next();
            assertEquals(marked && kind != LaneLayout.SKIP, there && reader.head() == head, () -> "seed " + SEED);
            if (there && reader.holds(length)) {
                assertTrue(length >= 0);
                long end = reader.bytesAt() - memory.address() + length;
                assertTrue(end <= BASE + CELLS * LaneLayout.CELL_BYTES, () -> "beyond the ring, seed " + SEED);
                reader.consume(LaneLayout.cells(length));
            } else if (there) {
                reader.consume(1);
            }
            memory.asSlice(BASE, CELLS * LaneLayout.CELL_BYTES).fill((byte) 0);
        }
        assertFalse(reader.holds(-1));
        assertFalse(reader.holds(Long.MAX_VALUE));
        requireGuards();
    }

    /// Two skips in a row are no entry, and no endless loop.
    @Test
    void shouldFollowOneSkipOnly() {
        long skip = LaneLayout.form(LaneLayout.SKIP, 0, 0);
        for (long position : new long[] {0, CELLS}) {
            memory.set(ValueLayout.JAVA_LONG, BASE + 8, skip);
            memory.set(ValueLayout.JAVA_LONG, BASE, RingReader.mark(position) << 32);
        }
        assertFalse(reader.next(), "its mark is of the second round");
        memory.set(ValueLayout.JAVA_LONG, BASE, RingReader.mark(0) << 32);
        assertFalse(reader.next());
        assertEquals(CELLS, reader.head());
    }
}
