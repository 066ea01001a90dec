package io.verbena.soft.local;

import static io.verbena.soft.local.LaneLayout.CELL_BYTES;
import static io.verbena.soft.local.LaneLayout.HEADER_BYTES;
import static io.verbena.soft.local.LaneLayout.LONG;
import static io.verbena.soft.os.HostMemory.ALL;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/// The consumer's end of a ring in shared memory. One thread at a time. The producer is not trusted: each word is read
/// once, and an entry that exceeds the ring is ignored.
public final class RingReader {
    /// A longer payload touches a second cache line: it lies there, or the JVM's copy of more than 32 bytes reads 64.
    private static final int ONE_LINE_PAYLOAD = 32;

    private final long base;
    private final int cells;
    private long head;
    private int acknowledgement;
    private long form;

    /// Whether the last entry touched a second cache line. Then that of the next one is loaded together with its mark:
    /// the two lines come from the other processor at the same time, not one after the other.
    private boolean wasLong;

    /// Keeps the compiler from dropping the load.
    private long secondLine;

    RingReader(MemorySegment memory, long base, int cells) {
        this.base = memory.address() + base;
        this.cells = cells;
    }

    /// The mark of an entry at that position. Never 0, which marks a cleared cell.
    static long mark(long position) {
        return position & 0x7FFF_FFFFL | 0x8000_0000L;
    }

    /// The memory in which [#bytesAt] is a position.
    public MemorySegment memory() {
        return ALL;
    }

    /// The position of the oldest entry that was not consumed.
    public long head() {
        return head;
    }

    private long at() {
        return cell(head);
    }

    private long cell(long position) {
        return base + (position & cells - 1) * CELL_BYTES;
    }

    /// Reads the header of the oldest entry. False when there is none. Skips the rest of the ring where the writer did.
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
        if (wasLong) {
            secondLine = (long) LONG.getOpaque(ALL, cell(head + 1));
        }
        long first = (long) LONG.getAcquire(ALL, at);
        if (first >>> 32 != mark(head)) {
            return false;
        }
        acknowledgement = (int) first;
        form = ALL.get(ValueLayout.JAVA_LONG, at + 8);
        return true;
    }

    /// The acknowledgement piggybacked on the entry; 0 for none.
    public int acknowledgement() {
        return acknowledgement;
    }

    public long form() {
        return form;
    }

    /// The position of the bytes behind the header.
    public long bytesAt() {
        return at() + HEADER_BYTES;
    }

    /// Whether that many bytes behind the header lie within the ring.
    public boolean holds(long bytes) {
        return bytes >= 0 && bytes <= (cells - (head & cells - 1)) * CELL_BYTES - HEADER_BYTES;
    }

    /// Consumes the entry.
    public void consume(int entryCells) {
        head += entryCells;
        wasLong = LaneLayout.length(form) > ONE_LINE_PAYLOAD;
    }
}
