package io.verbena.soft.qp;

import io.verbena.verbs.attr.Operation;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/// The layout of an entry of a request ring, behind its header. A plain SEND has only its payload there. Every other
/// request has a fixed part, then its payload, or a reference to the payload in a region of the requester's device.
final class LocalEntry {
    /// The most payload bytes in one entry.
    static final int PIECE_BYTES = 8192;
    /// From this many bytes on a reference is faster: the responder copies the payload straight from the region.
    static final int REFERENCE_FROM = 2048;
    /// The most bytes of a READ's reply in one entry.
    static final int REPLY_BYTES = 2048;

    static final int FIXED_BYTES = 32;
    static final int REFERENCE_BYTES = 32;

    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG;
    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT;

    private static final int ADDRESS = 0;
    private static final int RKEY = 8;
    private static final int IMMEDIATE = 12;
    private static final int OPERAND = 16;
    private static final int SECOND_OPERAND = 24;
    private static final int REGISTRATION = 0;
    private static final int OFFSET = 8;
    private static final int SLOT = 16;

    private LocalEntry() {}

    /// Whether the operation sends payload.
    static boolean hasPayload(Operation operation) {
        return operation == Operation.ATOMIC_WRITE || operation.mayBeInline();
    }

    static void fixed(MemorySegment ring, long at, SendQueue queue, long position, long offset) {
        ring.set(LONG, at + ADDRESS, queue.remoteAddress(position) + offset);
        ring.set(INT, at + RKEY, queue.rkey(position));
        ring.set(INT, at + IMMEDIATE, queue.immediate(position));
        ring.set(LONG, at + OPERAND, queue.operand(position));
        ring.set(LONG, at + SECOND_OPERAND, queue.secondOperand(position));
    }

    /// Writes the length of the whole message in place of the operand, which a SEND or WRITE does not have.
    static void total(MemorySegment ring, long at, long bytes) {
        ring.set(LONG, at + OPERAND, bytes);
    }

    static void reference(MemorySegment ring, long at, long registration, int slot, long offset) {
        ring.set(LONG, at + REGISTRATION, registration);
        ring.set(LONG, at + OFFSET, offset);
        ring.set(INT, at + SLOT, slot);
    }

    /// Reads the fixed part.
    static void read(MemorySegment ring, long at, RemoteRequest to) {
        to.address = ring.get(LONG, at + ADDRESS);
        to.rkey = ring.get(INT, at + RKEY);
        to.immediate = ring.get(INT, at + IMMEDIATE);
        to.operand = ring.get(LONG, at + OPERAND);
        to.swap = ring.get(LONG, at + SECOND_OPERAND);
    }

    static long registration(MemorySegment ring, long at) {
        return ring.get(LONG, at + REGISTRATION);
    }

    static long offset(MemorySegment ring, long at) {
        return ring.get(LONG, at + OFFSET);
    }

    static int slot(MemorySegment ring, long at) {
        return ring.get(INT, at + SLOT);
    }
}
