package io.verbena.soft.local;

/// The path of a queue pair, as published in its device page.
enum QueuePairPath {
    /// It is not connected yet.
    UNDECIDED,
    /// It has a lane, and its peer can attach to it.
    LOCAL,
    /// Its packets go over the network.
    NETWORK,
    /// There is no such queue pair, or it was closed.
    GONE;

    private static final QueuePairPath[] VALUES = values();

    static QueuePairPath of(int code) {
        return code >= 0 && code < VALUES.length ? VALUES[code] : GONE;
    }
}
