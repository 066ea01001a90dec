package io.verbena.soft.qp;

import io.verbena.verbs.attr.Operation;
import java.lang.foreign.MemorySegment;

/// Send requests as the engine sees them.
final class SendQueue extends WorkQueue {
    static final int SIGNALED = 1;
    static final int SOLICITED = 2;
    static final int FENCED = 4;
    static final int INLINE = 8;

    private static final int WR_ID = 0;
    private static final int KIND = 1;
    private static final int LENGTH = 2;
    private static final int REMOTE_ADDRESS = 3;
    private static final int RKEY_AND_IMMEDIATE = 4;
    private static final int PSNS = 5;
    private static final int OPERAND = 6;
    private static final int SECOND_OPERAND = 7;
    private static final int FIXED_WORDS = 8;

    private static final Operation[] OPERATIONS = Operation.values();

    private final int maxInline;
    private final MemorySegment inline;

    SendQueue(int requests, int maxScatterGather, int maxInline) {
        super(requests, FIXED_WORDS, maxScatterGather);
        this.maxInline = maxInline;
        this.inline = MemorySegment.ofArray(new byte[capacity() * maxInline]);
    }

    /// Copies a checked request into the next slot. Poster's side.
    void write(SoftSendRequest request) {
        long position = next();
        int slot = slot(position);
        words[slot + WR_ID] = request.wrId;
        words[slot + KIND] = request.operation.ordinal() | request.flags << 8 | request.buffers.count() << 16;
        words[slot + LENGTH] = request.buffers.totalBytes();
        words[slot + REMOTE_ADDRESS] = request.remoteAddress;
        words[slot + RKEY_AND_IMMEDIATE] = request.rkey & 0xFFFF_FFFFL | (long) request.immediate << 32;
        words[slot + OPERAND] = request.operand;
        words[slot + SECOND_OPERAND] = request.secondOperand;
        if ((request.flags & INLINE) != 0) {
            request.buffers.copyInto(inline, inlineAt(position));
        } else {
            request.buffers.copyInto(words, slot + FIXED_WORDS);
        }
        publish();
    }

    long wrId(long position) {
        return words[slot(position) + WR_ID];
    }

    Operation operation(long position) {
        return OPERATIONS[(int) (words[slot(position) + KIND] & 0xFF)];
    }

    boolean has(long position, int flag) {
        return (words[slot(position) + KIND] >>> 8 & flag) != 0;
    }

    int bufferCount(long position) {
        return (int) (words[slot(position) + KIND] >>> 16 & 0xFF);
    }

    /// Index of the first buffer's words.
    int buffersAt(long position) {
        return slot(position) + FIXED_WORDS;
    }

    long length(long position) {
        return words[slot(position) + LENGTH];
    }

    long remoteAddress(long position) {
        return words[slot(position) + REMOTE_ADDRESS];
    }

    int rkey(long position) {
        return (int) words[slot(position) + RKEY_AND_IMMEDIATE];
    }

    int immediate(long position) {
        return (int) (words[slot(position) + RKEY_AND_IMMEDIATE] >>> 32);
    }

    /// What to compare with or to add.
    long operand(long position) {
        return words[slot(position) + OPERAND];
    }

    /// What to swap in.
    long secondOperand(long position) {
        return words[slot(position) + SECOND_OPERAND];
    }

    /// Memory that holds inline bytes; those of a position start at [#inlineAt].
    MemorySegment inline() {
        return inline;
    }

    long inlineAt(long position) {
        return (long) slotNumber(position) * maxInline;
    }

    void psns(long position, int first, int last) {
        words[slot(position) + PSNS] = first & 0xFFFF_FFFFL | (long) last << 32;
    }

    int firstPsn(long position) {
        return (int) words[slot(position) + PSNS];
    }

    int lastPsn(long position) {
        return (int) (words[slot(position) + PSNS] >>> 32);
    }
}
