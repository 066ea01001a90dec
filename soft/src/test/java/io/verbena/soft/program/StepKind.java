package io.verbena.soft.program;

/// A kind of step of a random program.
enum StepKind {
    SEND,
    SEND_WITH_IMMEDIATE,
    SEND_WITH_INVALIDATE,
    WRITE,
    WRITE_WITH_IMMEDIATE,
    READ,
    COMPARE_AND_SWAP,
    FETCH_AND_ADD,
    /// A fetch-and-add of 1 on a counter that all peers share.
    TICKET,
    ATOMIC_WRITE,
    FLUSH,
    BIND_WINDOW,
    LOCAL_INVALIDATE;

    boolean usesReceive() {
        return switch (this) {
            case SEND, SEND_WITH_IMMEDIATE, SEND_WITH_INVALIDATE, WRITE_WITH_IMMEDIATE -> true;
            default -> false;
        };
    }

    boolean sends() {
        return this == SEND || this == SEND_WITH_IMMEDIATE || this == SEND_WITH_INVALIDATE;
    }

    boolean writes() {
        return this == WRITE || this == WRITE_WITH_IMMEDIATE;
    }

    /// Whether bytes of the peer's land here.
    boolean brings() {
        return this == READ || this == COMPARE_AND_SWAP || this == FETCH_AND_ADD;
    }
}
