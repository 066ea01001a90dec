package io.verbena.soft.local;

import static io.verbena.soft.local.LaneLayout.CELL_BYTES;
import static io.verbena.soft.local.LaneLayout.LONG;
import static io.verbena.soft.os.HostMemory.ALL;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/// The producer's end of a ring in shared memory. One thread at a time.
public final class RingWriter {
    private static final int CELLS_PER_LINE = 64 / CELL_BYTES;
    /// Lines that far ahead are touched, so that they are on their way here before they are filled.
    private static final int TOUCHED_AHEAD = 3 * CELLS_PER_LINE;

    private final long base;
    private final int cells;
    private long tail;
    private long consumed;
    private long touched;

    RingWriter(MemorySegment memory, long base, int cells) {
        this.base = memory.address() + base;
        this.cells = cells;
    }

    /// Where the addresses of [#claim] count from.
    public MemorySegment memory() {
        return ALL;
    }

    /// The position behind the newest entry.
    public long tail() {
        return tail;
    }

    /// The position up to which the reader is known to be through.
    public long consumed() {
        return consumed;
    }

    /// The reader says how far it is. Its word is taken for what it can be: it neither consumes what is not there, nor
    /// takes anything back.
    public void consumed(long position) {
        if (position > consumed && position <= tail) {
            consumed = position;
        }
    }

    /// Whether an entry of that many cells fits in. Its cells lie side by side, so the rest of the ring may have to be
    /// skipped; one cell more is needed for the mark that is cleared.
    public boolean hasRoom(int wanted) {
        return tail + skipped(wanted) + wanted + 1 - consumed <= cells;
    }

    private int skipped(int wanted) {
        int left = cells - (int) (tail & cells - 1);
        return wanted > left ? left : 0;
    }

    /// Where the entry begins; there must be room.
    public long claim(int wanted) {
        int skipped = skipped(wanted);
        if (skipped > 0) {
            publish(skipped, LaneLayout.form(LaneLayout.SKIP, 0, 0), 0);
        }
        return at(tail);
    }

    private long at(long position) {
        return base + (position & cells - 1) * CELL_BYTES;
    }

    /// Shows the entry that was filled in from [#claim] on.
    public void publish(int entryCells, long form, int acknowledgement) {
        long at = at(tail);
        long end = tail + entryCells;
        clear(end);
        ALL.set(ValueLayout.JAVA_LONG, at + 8, form);
        LONG.setRelease(ALL, at, RingReader.mark(tail) << 32 | acknowledgement & 0xFFFF_FFFFL);
        tail = end;
        long ahead = end + TOUCHED_AHEAD & -CELLS_PER_LINE;
        if (ahead != touched && ahead - consumed < cells) {
            touched = ahead;
            clear(ahead);
        }
    }

    private void clear(long position) {
        LONG.set(ALL, at(position), 0L);
    }
}
