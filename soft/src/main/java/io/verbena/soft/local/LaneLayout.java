package io.verbena.soft.local;

import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;

/// The layout of a lane: the memory through which one peer (the requester) sends requests to one queue pair (the
/// responder). The responder's process makes it. Every word has one writer, and words with different writers lie in
/// different cache lines.
///
/// A ring consists of cells as large as a cache line. An entry fills whole cells, so that the reader of one entry and
/// the writer of the next do not compete for a line. It begins with a header: a word with the mark (high half) and the
/// piggybacked acknowledgement (low half), and a word with the payload's length (low half), the kind and the flags. The
/// writer first clears the mark behind the entry, and stores the mark of the entry last. So a reader never sees half an
/// entry.
public final class LaneLayout {
    public static final int CELL_BYTES = 64;
    public static final int HEADER_BYTES = 16;
    public static final int REQUEST_CELLS = 512;
    public static final int REPLY_CELLS = 128;

    // Written by the responder, before the lane is announced.
    static final long PEER_HIGH_AT = 0;
    static final long PEER_LOW_AT = 8;
    static final long PEER_QP_AT = 16;
    static final long FIRST_PSN_AT = 20;
    static final long RECEIVE_QUEUE_SLOT_AT = 24;

    // Written by the responder.
    static final long EXECUTED_AT = 64;
    static final long VERDICT_POSITION_AT = 128;
    static final long VERDICT_SYNDROME_AT = 136;
    static final long VERDICT_COUNT_AT = 140;
    static final long ACCEPTING_AT = 192;
    static final long QUIET_AT = 256;

    // Written by the requester.
    static final long ATTACHED_AT = 320;
    static final long SEND_QUEUE_SLOT_AT = 324;
    static final long RETRY_AT = 328;
    static final long REQUESTER_BUSY_AT = 384;
    static final long RESPONDER_BUSY_AT = 448;
    static final long REPLIES_CONSUMED_AT = 512;

    static final long REQUESTS_AT = 1024;
    static final long REPLIES_AT = REQUESTS_AT + (long) REQUEST_CELLS * CELL_BYTES;
    static final long BYTES = REPLIES_AT + (long) REPLY_CELLS * CELL_BYTES;

    /// The lowest bit of the word ACCEPTING: whether direct access is allowed. The higher bits are the domain and the
    /// rights of the queue pair.
    static final long ACCEPTS = 1;

    static final VarHandle LONG = ValueLayout.JAVA_LONG.varHandle();
    static final VarHandle INT = ValueLayout.JAVA_INT.varHandle();

    // ---- entries ----

    /// The rest of the ring is skipped.
    public static final int SKIP = 63;

    public static final int SOLICITED = 1;
    /// The message continues in the next entry.
    public static final int MORE = 1 << 1;
    /// The payload is in a region of the requester's device. The entry contains its position.
    public static final int REFERENCE = 1 << 2;

    private LaneLayout() {}

    static long accepting(int access, int domain) {
        return ACCEPTS | (long) domain << 1 & 0xFFFF_FFFEL | (long) access << 32;
    }

    /// Whether direct access with these rights is allowed.
    public static boolean accepts(long accepting, int rights) {
        return (accepting & ACCEPTS) != 0 && ((int) (accepting >>> 32) & rights) == rights;
    }

    public static int domain(long accepting) {
        return (int) ((accepting & 0xFFFF_FFFFL) >>> 1);
    }

    public static long form(int kind, int flags, int length) {
        return length & 0xFFFF_FFFFL | (long) kind << 32 | (long) flags << 38;
    }

    public static int length(long form) {
        return (int) form;
    }

    public static int kind(long form) {
        return (int) (form >>> 32) & 63;
    }

    public static int flags(long form) {
        return (int) (form >>> 38);
    }

    /// Cells of an entry with that many bytes behind its header.
    public static int cells(int bytes) {
        return HEADER_BYTES + bytes + CELL_BYTES - 1 >>> 6;
    }
}
