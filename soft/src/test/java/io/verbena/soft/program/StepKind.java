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

    /// Whether bytes of the peer's land here.
    boolean brings() {
        return this == READ || this == COMPARE_AND_SWAP || this == FETCH_AND_ADD;
    }
}
