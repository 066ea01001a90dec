package io.verbena.soft.cq;

import io.verbena.verbs.WorkCompletion;
import io.verbena.verbs.attr.CompletionOpcode;
import io.verbena.verbs.attr.CompletionStatus;

/// The one reused view of a completion queue; knows how an entry is packed.
final class CompletionView implements WorkCompletion {
    static final int IMMEDIATE = 1;
    static final int INVALIDATED = 2;
    static final int GRH = 4;

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
