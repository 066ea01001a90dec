package io.verbena.soft.local;

/// Which path a queue pair has decided for, as its device's memory says.
enum QueuePairPath {
    /// It is not connected yet.
    UNDECIDED,
    /// It has a lane, and waits for its peer to take it.
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
