package io.verbena.soft.local;

import io.verbena.soft.os.SealedMemory;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;

/// One thread puts three entries into a ring while another takes: an entry's words belong together, and entries
/// come in order. The ring is used once before, so its cells are full of old entries; the second entry does not fit
/// behind the first, so the rest of the ring is skipped.
@JCStressTest
@Outcome(
        id = {"0, 0, 0", "0, 0, 1", "0, 1, 0", "1, 0, 0", "0, 1, 2", "1, 0, 2", "1, 2, 0", "1, 2, 3"},
        expect = Expect.ACCEPTABLE,
        desc = "whole and in order")
@State
public class RingStress {
    private static final int CELLS = 32;
    private static final int BYTES = 32;
    private static final int OLD = 9;

    private final SealedMemory shared = Neighbour.takeMemory();
    private final MemorySegment memory = shared.memory();
    private final RingWriter writer = new RingWriter(memory, 0, CELLS);
    private final RingReader reader = new RingReader(memory, 0, CELLS);

    public RingStress() {
        int entryCells = LaneLayout.cells(BYTES);
        while (writer.tail() + 2 * entryCells <= 2 * CELLS) {
            put(OLD);
            take();
            writer.onConsumed(reader.head());
        }
    }

    private void put(long value) {
        int entryCells = LaneLayout.cells(BYTES);
        long at = writer.claim(entryCells) + LaneLayout.HEADER_BYTES;
        for (int i = 0; i < BYTES; i += Long.BYTES) {
            writer.memory().set(ValueLayout.JAVA_LONG, at + i, value);
        }
        writer.publish(entryCells, LaneLayout.form((int) value, (int) value, BYTES), (int) value);
    }

    /// The entry's value, 0 when there is none, -1 when its words do not belong together.
    private int take() {
        if (!reader.next()) {
            return 0;
        }
        int value = reader.acknowledgement();
        boolean whole = reader.form() == LaneLayout.form(value, value, BYTES) && reader.holds(BYTES);
        for (int i = 0; whole && i < BYTES; i += Long.BYTES) {
            whole = reader.memory().get(ValueLayout.JAVA_LONG, reader.bytesAt() + i) == value;
        }
        reader.consume(LaneLayout.cells(BYTES));
        return whole ? value : -1;
    }

    @Actor
    public void producer() {
        put(1);
        put(2);
        put(3);
    }

    @Actor
    public void consumer(III_Result taken) {
        taken.r1 = take();
        taken.r2 = take();
        taken.r3 = take();
    }

    @Arbiter
    public void end(III_Result taken) {
        Neighbour.giveBack(shared);
    }
}
