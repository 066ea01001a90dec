package io.verbena.verbs.attr;

/// The operation of a send request. Counterpart of `enum ibv_wr_opcode`; [#code] is the C value.
public enum Operation {
    RDMA_WRITE(0, "IBV_WR_RDMA_WRITE", CompletionOpcode.RDMA_WRITE),
    RDMA_WRITE_WITH_IMMEDIATE(1, "IBV_WR_RDMA_WRITE_WITH_IMM", CompletionOpcode.RDMA_WRITE),
    SEND(2, "IBV_WR_SEND", CompletionOpcode.SEND),
    SEND_WITH_IMMEDIATE(3, "IBV_WR_SEND_WITH_IMM", CompletionOpcode.SEND),
    RDMA_READ(4, "IBV_WR_RDMA_READ", CompletionOpcode.RDMA_READ),
    COMPARE_AND_SWAP(5, "IBV_WR_ATOMIC_CMP_AND_SWP", CompletionOpcode.COMPARE_AND_SWAP),
    FETCH_AND_ADD(6, "IBV_WR_ATOMIC_FETCH_AND_ADD", CompletionOpcode.FETCH_AND_ADD),
    LOCAL_INVALIDATE(7, "IBV_WR_LOCAL_INV", CompletionOpcode.LOCAL_INVALIDATE),
    BIND_MEMORY_WINDOW(8, "IBV_WR_BIND_MW", CompletionOpcode.BIND_MEMORY_WINDOW),
    SEND_WITH_INVALIDATE(9, "IBV_WR_SEND_WITH_INV", CompletionOpcode.SEND),
    FLUSH(14, "IBV_WR_FLUSH", CompletionOpcode.FLUSH),
    ATOMIC_WRITE(15, "IBV_WR_ATOMIC_WRITE", CompletionOpcode.ATOMIC_WRITE);

    private final int code;
    private final String cName;
    private final CompletionOpcode completion;

    Operation(int code, String cName, CompletionOpcode completion) {
        this.code = code;
        this.cName = cName;
        this.completion = completion;
    }

    /// The number of this operation in C.
    public int code() {
        return code;
    }

    /// Throws IllegalArgumentException for a number that is not listed here.
    public static Operation ofCode(int code) {
        return Codes.require(values(), Operation::code, code, "ibv_wr_opcode");
    }

    /// The C name, e.g. `IBV_WR_RDMA_WRITE_WITH_IMM`. Counterpart of `ibv_wr_opcode_str`.
    public String cName() {
        return cName;
    }

    /// The opcode in the completion of such a request.
    public CompletionOpcode completion() {
        return completion;
    }

    /// Whether queue pairs of that type have this operation (rule POST-5).
    public boolean legalOn(QueuePairType type) {
        return switch (this) {
            case SEND, SEND_WITH_IMMEDIATE -> true;
            case RDMA_WRITE, RDMA_WRITE_WITH_IMMEDIATE, LOCAL_INVALIDATE, BIND_MEMORY_WINDOW ->
                type != QueuePairType.UD;
            // Unreliable connections have no packet for SEND_WITH_INVALIDATE.
            case SEND_WITH_INVALIDATE, RDMA_READ, COMPARE_AND_SWAP, FETCH_AND_ADD, FLUSH, ATOMIC_WRITE ->
                type == QueuePairType.RC;
        };
    }

    /// Whether it writes to the local buffers: READ and atomics.
    public boolean bringsData() {
        return this == RDMA_READ || this == COMPARE_AND_SWAP || this == FETCH_AND_ADD;
    }

    /// Whether the request's bytes may travel inside the request (rule POST-8).
    public boolean mayBeInline() {
        return switch (this) {
            case SEND, SEND_WITH_IMMEDIATE, SEND_WITH_INVALIDATE, RDMA_WRITE, RDMA_WRITE_WITH_IMMEDIATE -> true;
            default -> false;
        };
    }
}
