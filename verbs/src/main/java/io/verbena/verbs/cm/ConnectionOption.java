package io.verbena.verbs.cm;

/// Options of an id. Counterpart of `RDMA_OPTION_ID_*` in `rdma_set_option`.
public enum ConnectionOption {
    /// Type of service, 0 to 255.
    TYPE_OF_SERVICE,
    /// Whether a port in use may be bound again: 0 or 1.
    REUSE_ADDRESS,
    /// Whether an IPv6 wildcard takes IPv6 only: 0 or 1.
    IPV6_ONLY,
    /// Acknowledgement timeout code of the queue pair, 0 to 31, in place of the one computed from the path.
    ACK_TIMEOUT,
    /// RNR timer code of the queue pair, 0 to 31 (0 is the longest). Beyond librdmacm, which fixes it at 0.
    MIN_RNR_TIMER,
    /// Keep-alive: after how many seconds of silence a connection over the network probes its peer, 0 to 86,400; 0 is
    /// never. Without an answer the connection ends with DISCONNECTED after half that time more. Only software devices
    /// have keep-alives; their default is 10.
    LIVENESS
}
