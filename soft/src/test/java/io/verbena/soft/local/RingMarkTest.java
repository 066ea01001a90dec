package io.verbena.soft.local;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Test;

class RingMarkTest {
    private static final int CELLS = 32;

    private final MemorySegment memory = Arena.ofAuto().allocate((long) CELLS * LaneLayout.CELL_BYTES, 64);
    private final RingWriter writer = new RingWriter(memory, 0, CELLS);
    private final RingReader reader = new RingReader(memory, 0, CELLS);

    /// Marks wrap around at some position, and none may look like a cleared cell.
    @Test
    void shouldSeeNoEntryInACellThatWasClearedWhereverItIs() {
        for (int step : new int[] {Integer.MAX_VALUE, 1, Integer.MAX_VALUE - 1, 1, 1}) {
            assertFalse(reader.next(), () -> "at " + reader.head());
            writer.publish(step, LaneLayout.form(1, 0, 7), 42);
            assertTrue(reader.next(), () -> "at " + reader.head());
            assertEquals(7, LaneLayout.length(reader.form()));
            assertEquals(42, reader.acknowledgement());
            reader.consume(step);
            writer.onConsumed(reader.head());
            assertEquals(writer.tail(), reader.head());
        }
    }
}
