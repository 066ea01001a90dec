package io.verbena.soft.qp;

import io.verbena.verbs.attr.Operation;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/// What lies behind the first cell of an entry of a request ring. A plain SEND has its payload there. Every other
/// request has a fixed part, then its payload, or the place of the payload in a region of the requester's device.
final class LocalEntry {
    /// Bytes of a message that go into one entry, where they cannot stay in a region.
    static final int PIECE_BYTES = 8192;
    /// From this many bytes on it pays that the responder fetches them itself.
    static final int REFERENCE_FROM = 2048;
    /// Bytes of an answer to a READ in one entry.
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

    /// Whether bytes of the requester's travel.
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

    /// Of a SEND or WRITE, which has no operand: the length of the whole message.
    static void total(MemorySegment ring, long at, long bytes) {
        ring.set(LONG, at + OPERAND, bytes);
    }

    static void reference(MemorySegment ring, long at, long registration, int slot, long offset) {
        ring.set(LONG, at + REGISTRATION, registration);
        ring.set(LONG, at + OFFSET, offset);
        ring.set(INT, at + SLOT, slot);
    }

    static long address(MemorySegment ring, long at) {
        return ring.get(LONG, at + ADDRESS);
    }

    static int rkey(MemorySegment ring, long at) {
        return ring.get(INT, at + RKEY);
    }

    static int immediate(MemorySegment ring, long at) {
        return ring.get(INT, at + IMMEDIATE);
    }

    static long operand(MemorySegment ring, long at) {
        return ring.get(LONG, at + OPERAND);
    }

    static long secondOperand(MemorySegment ring, long at) {
        return ring.get(LONG, at + SECOND_OPERAND);
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
