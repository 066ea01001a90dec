package io.verbena.soft.local;

import static io.verbena.soft.local.LaneLayout.CELL_BYTES;
import static io.verbena.soft.local.LaneLayout.LONG;
import static io.verbena.soft.os.HostMemory.ALL;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/// The consumer's end of a ring in shared memory. One thread at a time. What the producer wrote may be anything: each
/// word is read once, and an entry that does not lie within the ring is none.
public final class RingReader {
    private final long base;
    private final int cells;
    private long head;
    private int acknowledgement;
    private long form;

    RingReader(MemorySegment memory, long base, int cells) {
        this.base = memory.address() + base;
        this.cells = cells;
    }

    /// Never 0, which is in a cell that was cleared.
    static long mark(long position) {
        return position & 0x7FFF_FFFFL | 0x8000_0000L;
    }

    /// Where the addresses of [#bytesAt] count from.
    public MemorySegment memory() {
        return ALL;
    }

    /// The position of the oldest entry that was not consumed.
    public long head() {
        return head;
    }

    private long at() {
        return base + (head & cells - 1) * CELL_BYTES;
    }

    /// Whether an entry is there: then its first cell is read. Where the rest of the ring is skipped, it begins anew.
    public boolean next() {
        if (!read()) {
            return false;
        }
        if (LaneLayout.kind(form) != LaneLayout.SKIP) {
            return true;
        }
        head += cells - (head & cells - 1);
        return read();
    }

    private boolean read() {
        long at = at();
        long first = (long) LONG.getAcquire(ALL, at);
        if (first >>> 32 != mark(head)) {
            return false;
        }
        acknowledgement = (int) first;
        form = ALL.get(ValueLayout.JAVA_LONG, at + 8);
        return true;
    }

    /// The acknowledgement that travelled with the entry; 0 for none.
    public int acknowledgement() {
        return acknowledgement;
    }

    public long form() {
        return form;
    }

    /// Where the bytes behind the first cell lie.
    public long bytesAt() {
        return at() + CELL_BYTES;
    }

    /// Whether that many bytes behind the first cell lie within the ring.
    public boolean holds(long bytes) {
        return bytes >= 0 && bytes <= (cells - 1 - (head & cells - 1)) * CELL_BYTES;
    }

    /// Is done with the entry.
    public void consume(int entryCells) {
        head += entryCells;
    }
}
