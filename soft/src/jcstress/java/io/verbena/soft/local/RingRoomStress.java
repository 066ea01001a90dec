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

/// A ring of three entries has room for one more only when the consumer has said that it is through with the oldest: the
/// producer never fills cells that are being read.
@JCStressTest
@Outcome(id = "1, 2, 3", expect = Expect.ACCEPTABLE, desc = "whole entries")
@State
public class RingRoomStress {
    private static final int CELLS = 32;
    private static final int BYTES = 7 * LaneLayout.CELL_BYTES;
    private static final int ENTRY_CELLS = LaneLayout.cells(BYTES);
    private static final long EXECUTED_AT = 0;
    private static final long RING_AT = 64;

    private final SealedMemory shared = Neighbour.takeMemory();
    private final MemorySegment memory = shared.memory();
    private final RingWriter writer = new RingWriter(memory, RING_AT, CELLS);
    private final RingReader reader = new RingReader(memory, RING_AT, CELLS);

    public RingRoomStress() {
        put(1);
        put(2);
        put(3);
    }

    private void put(long value) {
        long at = writer.claim(ENTRY_CELLS) + LaneLayout.HEADER_BYTES;
        for (int i = 0; i < BYTES; i += Long.BYTES) {
            writer.memory().set(ValueLayout.JAVA_LONG, at + i, value);
        }
        writer.publish(ENTRY_CELLS, LaneLayout.form((int) value, 0, BYTES), (int) value);
    }

    private int take() {
        if (!reader.next()) {
            return 0;
        }
        int value = reader.acknowledgement();
        boolean whole = reader.form() == LaneLayout.form(value, 0, BYTES);
        for (int i = 0; whole && i < BYTES; i += Long.BYTES) {
            whole = reader.memory().get(ValueLayout.JAVA_LONG, reader.bytesAt() + i) == value;
        }
        reader.consume(ENTRY_CELLS);
        LaneLayout.LONG.setRelease(memory, EXECUTED_AT, reader.head());
        return whole ? value : -1;
    }

    private void putIfRoom(long value) {
        writer.onConsumed((long) LaneLayout.LONG.getAcquire(memory, EXECUTED_AT));
        if (writer.hasRoom(ENTRY_CELLS)) {
            put(value);
        }
    }

    @Actor
    public void producer() {
        putIfRoom(4);
        putIfRoom(5);
        putIfRoom(6);
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
