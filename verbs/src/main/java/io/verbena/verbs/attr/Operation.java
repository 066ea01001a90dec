package io.verbena.verbs.attr;

/// What a send request asks for. Counterpart of `enum ibv_wr_opcode`; [#code] is the C value.
public enum Operation {
    RDMA_WRITE(0, CompletionOpcode.RDMA_WRITE),
    RDMA_WRITE_WITH_IMMEDIATE(1, CompletionOpcode.RDMA_WRITE),
    SEND(2, CompletionOpcode.SEND),
    SEND_WITH_IMMEDIATE(3, CompletionOpcode.SEND),
    RDMA_READ(4, CompletionOpcode.RDMA_READ),
    COMPARE_AND_SWAP(5, CompletionOpcode.COMPARE_AND_SWAP),
    FETCH_AND_ADD(6, CompletionOpcode.FETCH_AND_ADD),
    LOCAL_INVALIDATE(7, CompletionOpcode.LOCAL_INVALIDATE),
    BIND_MEMORY_WINDOW(8, CompletionOpcode.BIND_MEMORY_WINDOW),
    SEND_WITH_INVALIDATE(9, CompletionOpcode.SEND),
    FLUSH(14, CompletionOpcode.FLUSH),
    ATOMIC_WRITE(15, CompletionOpcode.ATOMIC_WRITE);

    private final int code;
    private final CompletionOpcode completion;

    Operation(int code, CompletionOpcode completion) {
        this.code = code;
        this.completion = completion;
    }

    public int code() {
        return code;
    }

    /// What the completion of such a request is called.
    public CompletionOpcode completion() {
        return completion;
    }

    /// Whether the type's queue pairs may be asked for this (rule POST-5).
    public boolean legalOn(QueuePairType type) {
        return switch (this) {
            case SEND, SEND_WITH_IMMEDIATE -> true;
            case RDMA_WRITE, RDMA_WRITE_WITH_IMMEDIATE, SEND_WITH_INVALIDATE, LOCAL_INVALIDATE, BIND_MEMORY_WINDOW ->
                type != QueuePairType.UD;
            case RDMA_READ, COMPARE_AND_SWAP, FETCH_AND_ADD, FLUSH, ATOMIC_WRITE -> type == QueuePairType.RC;
        };
    }

    /// Whether the request's bytes may travel inside the request (rule POST-8).
    public boolean mayBeInline() {
        return switch (this) {
            case SEND, SEND_WITH_IMMEDIATE, SEND_WITH_INVALIDATE, RDMA_WRITE, RDMA_WRITE_WITH_IMMEDIATE -> true;
            default -> false;
        };
    }
}
