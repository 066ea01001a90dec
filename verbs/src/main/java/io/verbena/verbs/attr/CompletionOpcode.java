package io.verbena.verbs.attr;

/// The kind of a completed request. Counterpart of `enum ibv_wc_opcode`; [#code] is the C value.
public enum CompletionOpcode {
    SEND(0),
    RDMA_WRITE(1),
    RDMA_READ(2),
    COMPARE_AND_SWAP(3),
    FETCH_AND_ADD(4),
    BIND_MEMORY_WINDOW(5),
    LOCAL_INVALIDATE(6),
    FLUSH(8),
    ATOMIC_WRITE(9),
    RECEIVE(128),
    RECEIVE_RDMA_WITH_IMMEDIATE(129);

    private final int code;

    CompletionOpcode(int code) {
        this.code = code;
    }

    /// The number of this value in C.
    public int code() {
        return code;
    }

    /// Throws IllegalArgumentException for a number that is not listed here.
    public static CompletionOpcode ofCode(int code) {
        return Codes.require(values(), CompletionOpcode::code, code, "ibv_wc_opcode");
    }

    /// Whether a receive completed, not a send request.
    public boolean isReceive() {
        return code >= RECEIVE.code;
    }
}
