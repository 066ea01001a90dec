package io.verbena.soft.option;

/// Segmentation offload: which work on datagrams the operating system does, if it can.
public enum Offload {
    /// None.
    NONE,
    /// One call sends many packets, which the system cuts apart (`UDP_SEGMENT`).
    SEND,
    /// Packets that arrive together come in one buffer (`UDP_GRO`).
    RECEIVE,
    /// Both.
    ALL;

    /// Whether the system may cut what is sent into packets.
    public boolean sends() {
        return this == SEND || this == ALL;
    }

    /// Whether the system may join packets that arrive.
    public boolean receives() {
        return this == RECEIVE || this == ALL;
    }
}
