package io.verbena.verbs.cm;

/// The kind of service that a port number belongs to. Counterpart of `enum rdma_port_space`; [#code] is the C value.
public enum PortSpace {
    /// Connections (RC). Queue pairs of type UC are connected by hand.
    TCP(0x0106),
    /// Datagrams (UD).
    UDP(0x0111),
    IPOIB(0x0002),
    IB(0x013F);

    private final int code;

    PortSpace(int code) {
        this.code = code;
    }

    /// The number of this space in C.
    public int code() {
        return code;
    }
}
