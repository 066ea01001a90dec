package io.verbena.soft.local;

import static io.verbena.soft.local.LaneLayout.CELL_BYTES;
import static io.verbena.soft.local.LaneLayout.LONG;
import static io.verbena.soft.os.HostMemory.ALL;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/// The producer's end of a ring in shared memory. One thread at a time.
public final class RingWriter {
    /// How many cells behind the newest entry are cleared early. That fetches their cache lines before they are filled.
    private static final int CLEARED_AHEAD = 4;

    private final long base;
    private final int cells;
    private long tail;
    private long consumed;
    /// The cells from the tail up to this position have no mark.
    private long cleared;

    RingWriter(MemorySegment memory, long base, int cells) {
        this.base = memory.address() + base;
        this.cells = cells;
    }

    /// The memory in which [#claim] returns a position.
    public MemorySegment memory() {
        return ALL;
    }

    /// The position behind the newest entry.
    public long tail() {
        return tail;
    }

    /// The position up to which the reader is known to have consumed entries.
    public long consumed() {
        return consumed;
    }

    /// The reader has consumed entries up to a position. The reader is not trusted: positions beyond the tail and
    /// positions that go back are ignored.
    public void onConsumed(long position) {
        if (position > consumed && position <= tail) {
            consumed = position;
        }
    }

    /// Whether an entry of that many cells fits. Its cells must be adjacent, so the rest of the ring may have to be
    /// skipped. One more cell is needed for the cleared mark.
    public boolean hasRoom(int wanted) {
        return tail + skipped(wanted) + wanted + 1 - consumed <= cells;
    }

    private int skipped(int wanted) {
        int left = cells - (int) (tail & cells - 1);
        return wanted > left ? left : 0;
    }

    /// The position of the next entry. The caller has checked [#hasRoom].
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

    /// Publishes the entry that was written at [#claim].
    public void publish(int entryCells, long form, int acknowledgement) {
        long at = at(tail);
        long end = tail + entryCells;
        if (cleared <= end) {
            clear(end);
            cleared = end + 1;
        }
        ALL.set(ValueLayout.JAVA_LONG, at + 8, form);
        LONG.setRelease(ALL, at, RingReader.mark(tail) << 32 | acknowledgement & 0xFFFF_FFFFL);
        tail = end;
        long ahead = end + CLEARED_AHEAD;
        if (ahead - consumed <= cells) {
            for (long position = cleared; position < ahead; position++) {
                clear(position);
            }
            cleared = ahead;
        }
    }

    private void clear(long position) {
        LONG.set(ALL, at(position), 0L);
    }
}
