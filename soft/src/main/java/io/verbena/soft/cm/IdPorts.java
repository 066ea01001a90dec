package io.verbena.soft.cm;

/// The ports of a connection, at this side and at the peer; 0 when unknown.
public record IdPorts(int local, int peer) {
    /// Those of a queue pair that was connected by hand.
    public static final IdPorts NONE = new IdPorts(0, 0);
}
