package io.verbena.soft.cq;

import io.verbena.verbs.WorkCompletion;
import io.verbena.verbs.attr.CompletionOpcode;
import io.verbena.verbs.attr.CompletionStatus;

/// The reused view of a completion, and the packing of a completion queue's entries.
public final class CompletionView implements WorkCompletion {
    public static final int IMMEDIATE = 1;
    public static final int INVALIDATED = 2;
    /// A datagram, whose GRH is in the receive.
    public static final int GRH = 4;
    /// The peer solicited an event. Programs do not see this flag.
    public static final int SOLICITED = 8;

    private static final CompletionOpcode[] OPCODES = CompletionOpcode.values();

    private long wrId;
    private long kind;
    private long length;
    private long numbers;
    private long immediate;

    static long kind(CompletionStatus status, CompletionOpcode opcode, int flags, int vendorError) {
        return status.ordinal() | opcode.ordinal() << 8 | flags << 16 | (long) vendorError << 32;
    }

    static long numbers(int qpNumber, int sourceQp) {
        return qpNumber & 0xFFFF_FFFFL | (long) sourceQp << 32;
    }

    /// Sets the completion of a send request, or of a receive without a message.
    public void set(long wrId, CompletionStatus status, CompletionOpcode opcode, int qpNumber, long length) {
        set(wrId, kind(status, opcode, 0, 0), length, numbers(qpNumber, 0), 0);
    }

    /// Sets the completion of a receive with its message.
    ///
    /// @param flags [#IMMEDIATE] and [#INVALIDATED] say what `immediate` is
    /// @param sourceQp of a datagram, else 0
    public void set(
            long wrId,
            CompletionStatus status,
            CompletionOpcode opcode,
            int flags,
            int qpNumber,
            int sourceQp,
            long length,
            int immediate) {
        set(wrId, kind(status, opcode, flags, 0), length, numbers(qpNumber, sourceQp), immediate);
    }

    /// Adds the entry to a ring; false when that is full.
    boolean offerTo(CompletionRing ring, CompletionSource owner) {
        return ring.offer(owner, wrId, kind, length, numbers, immediate);
    }

    boolean isSolicited() {
        return flag(SOLICITED) || (kind & 0xFF) != 0;
    }

    void set(long wrId, long kind, long length, long numbers, long immediate) {
        this.wrId = wrId;
        this.kind = kind;
        this.length = length;
        this.numbers = numbers;
        this.immediate = immediate;
    }

    private boolean flag(int bit) {
        return (kind >>> 16 & bit) != 0;
    }

    @Override
    public long wrId() {
        return wrId;
    }

    @Override
    public CompletionStatus status() {
        return CompletionStatus.ofCode((int) (kind & 0xFF));
    }

    @Override
    public CompletionOpcode opcode() {
        return OPCODES[(int) (kind >>> 8 & 0xFF)];
    }

    @Override
    public long byteLength() {
        return length;
    }

    @Override
    public int qpNumber() {
        return (int) numbers;
    }

    @Override
    public int sourceQp() {
        return (int) (numbers >>> 32);
    }

    @Override
    public boolean hasImmediate() {
        return flag(IMMEDIATE);
    }

    @Override
    public int immediate() {
        return (int) immediate;
    }

    @Override
    public boolean hasInvalidatedKey() {
        return flag(INVALIDATED);
    }

    @Override
    public int invalidatedKey() {
        return flag(INVALIDATED) ? (int) immediate : 0;
    }

    @Override
    public boolean hasGrh() {
        return flag(GRH);
    }

    @Override
    public int vendorError() {
        return (int) (kind >>> 32);
    }

    @Override
    public String toString() {
        return copy().toString();
    }
}
