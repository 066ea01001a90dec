package io.verbena.soft.shm;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/// Where things lie in the file that a connection's packets arrive in: what the owner tells the peer, what the peer
/// tells the owner, and a ring of cells of 16 bytes that the peer fills.
///
/// A packet takes whole cells, next to each other; small packets share cache lines, each of which costs a miss. The
/// first cell begins with a mark, made of the cell's place in the endless row of cells, which is stored last. Before
/// that the peer clears the mark of the cell behind the packet: so what lies there from an earlier round is never taken
/// for a packet. With the mark travels an acknowledgement, if the peer has one: it costs nothing there.
final class InboxLayout {
    /// Told by the owner, in one line: whether it takes requests, and what its queue pair allows, in one word; its
    /// protection domain.
    static final long ACCEPTING_AT = 0;

    static final long DOMAIN_AT = 8;
    static final long FIRST_PSN_AT = 12;
    static final long PEER_HIGH_AT = 16;
    static final long PEER_LOW_AT = 24;
    static final long PEER_QP_AT = 32;

    /// Told by the owner: it does not look here unless the news of its device are counted up.
    static final long QUIET_AT = 36;

    /// Told by the owner: cells before this one are free again.
    static final long CONSUMED_AT = 64;

    /// Told by the peer: it is at the owner's memory just now.
    static final long BUSY_AT = 128;

    /// Told by the peer: up to which PSN it has carried out what was asked of it; 0 before the first.
    static final long ACKNOWLEDGED_AT = 192;

    /// Tells an acknowledged PSN from none. Between the two is a number that changes, so that the same PSN is news when
    /// all the others have been acknowledged meanwhile.
    static final int ACKNOWLEDGED = 1 << 31;

    static final int PSN = 0xFF_FFFF;
    static final int NUMBER_STEP = 1 << 24;

    static final int CELL_BYTES = 16;
    static final int CELLS = 8192;
    static final long RING_AT = 4096;
    static final long BYTES = RING_AT + (long) CELLS * CELL_BYTES;

    /// In the first cell of a packet: the mark (low half) with an acknowledged PSN (high half, 0 when there is none).
    static final int MARK = 0;

    /// Length, kind, and what a short message has instead of headers: its PSN and whether it is solicited.
    static final int FORM = 8;

    static final int PACKET = 16;

    /// Kinds: the payload is in the ring; nothing more up to the end of the ring; the payload is in a region of the
    /// sender, and where is told in its place; a SEND of one packet, without any headers.
    static final int WHOLE = 0;

    static final int SKIP = 1;
    static final int REFERENCE = 2;
    static final int SHORT = 3;

    private static final int KIND_SHIFT = 24;
    private static final int PSN_SHIFT = 32;
    private static final long SOLICITED = 1L << 56;
    private static final int MOST_BYTES = (1 << KIND_SHIFT) - 1;

    /// A reference: slot and registration of the region, offset in its file, bytes.
    static final int REFERENCE_SLOT = 0;

    static final int REFERENCE_LENGTH = 4;
    static final int REFERENCE_REGISTRATION = 8;
    static final int REFERENCE_OFFSET = 16;
    static final int REFERENCE_BYTES = 24;

    private InboxLayout() {}

    /// Whether an inbox waits for packets of that queue pair.
    static boolean isMeantFor(MemorySegment inbox, long high, long low, int qpNumber) {
        return inbox.get(ValueLayout.JAVA_LONG, PEER_HIGH_AT) == high
                && inbox.get(ValueLayout.JAVA_LONG, PEER_LOW_AT) == low
                && inbox.get(ValueLayout.JAVA_INT, PEER_QP_AT) == qpNumber;
    }

    static int cellAt(long cell) {
        return (int) (RING_AT + (cell & CELLS - 1) * CELL_BYTES);
    }

    static long accepting(int access) {
        return 1L << 32 | access & 0xFFFF_FFFFL;
    }

    static boolean isAccepting(long told) {
        return told >>> 32 == 1;
    }

    static int access(long told) {
        return (int) told;
    }

    /// Never 0, which is what cleared marks are.
    static int mark(long cell) {
        return (int) cell << 1 | 1;
    }

    static int markOf(long marked) {
        return (int) marked;
    }

    static long marked(long cell, int acknowledgement) {
        return mark(cell) & 0xFFFF_FFFFL | (long) acknowledgement << 32;
    }

    static int acknowledgementOf(long marked) {
        return (int) (marked >>> 32);
    }

    static long form(int kind, int bytes) {
        return bytes | (long) kind << KIND_SHIFT;
    }

    static long shortForm(int bytes, int psn, boolean solicited) {
        return form(SHORT, bytes) | (long) psn << PSN_SHIFT | (solicited ? SOLICITED : 0);
    }

    static int bytes(long form) {
        return (int) form & MOST_BYTES;
    }

    static int kind(long form) {
        return (int) form >>> KIND_SHIFT;
    }

    static int psn(long form) {
        return (int) (form >>> PSN_SHIFT) & 0xFF_FFFF;
    }

    static boolean isSolicited(long form) {
        return (form & SOLICITED) != 0;
    }

    static int cells(int packetBytes) {
        return (PACKET + packetBytes + CELL_BYTES - 1) / CELL_BYTES;
    }
}
