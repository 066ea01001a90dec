package io.verbena.verbs.attr;

/// The states of a queue pair, which decide what it does with requests. Counterpart of `enum ibv_qp_state`; [#code] is
/// the C value.
public enum QueuePairState {
    RESET(0),
    INIT(1),
    /// Ready to receive.
    RTR(2),
    /// Ready to send.
    RTS(3),
    /// Send queue drained or draining.
    SQD(4),
    /// Send queue error (UC and UD only).
    SQE(5),
    ERR(6);

    private final int code;

    QueuePairState(int code) {
        this.code = code;
    }

    /// The number of this state in C.
    public int code() {
        return code;
    }

    /// Throws IllegalArgumentException for a number that is not listed here.
    public static QueuePairState ofCode(int code) {
        return Codes.require(values(), QueuePairState::code, code, "ibv_qp_state");
    }
}
