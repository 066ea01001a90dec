package io.verbena.sockets;

/// What carries the bytes of a channel.
enum Transport {
    /// RDMA; a peer without it is not reached.
    RDMA,
    /// TCP.
    TCP,
    /// RDMA where both sides have it, else TCP.
    AUTO
}
