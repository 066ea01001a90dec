package io.verbena.rdmacore.cq;

import io.verbena.rdmacore.layout.Wc;
import io.verbena.verbs.WorkCompletion;
import io.verbena.verbs.attr.CompletionOpcode;
import io.verbena.verbs.attr.CompletionStatus;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/// The one reused view of a completion queue: reads the struct that the driver filled in.
final class NativeCompletionView implements WorkCompletion {
    private static final int SUCCESS = CompletionStatus.SUCCESS.code();
    private static final int GRH = 1;
    private static final int WITH_IMMEDIATE = 2;
    private static final int WITH_INVALIDATE = 8;
    /// In the numbers of all operations that bring something in.
    private static final int RECEIVE = 0x80;
    private static final CompletionOpcode[] OPCODES = new CompletionOpcode[256];

    static {
        for (CompletionOpcode opcode : CompletionOpcode.values()) {
            OPCODES[opcode.code()] = opcode;
        }
    }

    /// The structs. Referenced here, so that they stay valid as long as the view, even when the queue is closed.
    private final MemorySegment memory;

    private final DatagramNumbers datagrams;
    private long wc;

    NativeCompletionView(int count, DatagramNumbers datagrams) {
        this.datagrams = datagrams;
        this.memory = Arena.ofAuto().allocate((long) count * Wc.SIZE, 64);
        this.wc = memory.address();
    }

    /// Address of the first struct.
    long first() {
        return memory.address();
    }

    /// Shows the completion at that address from now on.
    void show(long address) {
        wc = address;
    }

    private boolean flag(int bit) {
        return (Wc.WC_FLAGS.get(wc) & bit) != 0;
    }

    /// The flags for immediate data and invalidation. Some drivers set them for the sender too.
    private boolean hasReceiveFlag(int bit) {
        return flag(bit) && (Wc.OPCODE.get(wc) & RECEIVE) != 0;
    }

    @Override
    public long wrId() {
        return Wc.WR_ID.get(wc);
    }

    @Override
    public CompletionStatus status() {
        return CompletionStatus.ofCode(Wc.STATUS.get(wc));
    }

    @Override
    public boolean isSuccess() {
        return Wc.STATUS.get(wc) == SUCCESS;
    }

    /// Drivers do not set it when the request failed, so an unknown number is no error then.
    @Override
    public CompletionOpcode opcode() {
        int code = Wc.OPCODE.get(wc);
        CompletionOpcode opcode = code >= 0 && code < OPCODES.length ? OPCODES[code] : null;
        if (opcode != null) {
            return opcode;
        }
        return isSuccess() ? CompletionOpcode.ofCode(code) : CompletionOpcode.SEND;
    }

    @Override
    public long byteLength() {
        return Integer.toUnsignedLong(Wc.BYTE_LEN.get(wc));
    }

    @Override
    public int qpNumber() {
        return Wc.QP_NUM.get(wc);
    }

    @Override
    public int sourceQp() {
        return Wc.SRC_QP.get(wc);
    }

    @Override
    public boolean hasImmediate() {
        return hasReceiveFlag(WITH_IMMEDIATE);
    }

    @Override
    public int immediate() {
        return hasReceiveFlag(WITH_IMMEDIATE) ? Wc.IMM_DATA.get(wc) : 0;
    }

    @Override
    public boolean hasInvalidatedKey() {
        return hasReceiveFlag(WITH_INVALIDATE);
    }

    @Override
    public int invalidatedKey() {
        return hasReceiveFlag(WITH_INVALIDATE) ? Wc.INVALIDATED_RKEY.get(wc) : 0;
    }

    /// Some drivers set the flag on connections too, where the buffer has no such area.
    @Override
    public boolean hasGrh() {
        return flag(GRH) && datagrams.contains(Wc.QP_NUM.get(wc));
    }

    @Override
    public int vendorError() {
        return Wc.VENDOR_ERR.get(wc);
    }

    @Override
    public int serviceLevel() {
        return Wc.SL.get(wc);
    }

    @Override
    public int sourceLid() {
        return Wc.SLID.get(wc);
    }

    @Override
    public int pathBits() {
        return Wc.DLID_PATH_BITS.get(wc);
    }

    @Override
    public int pkeyIndex() {
        return Wc.PKEY_INDEX.get(wc);
    }

    @Override
    public String toString() {
        return copy().toString();
    }
}
