package io.verbena.soft.cm;

import java.util.EnumSet;
import java.util.Set;

/// The stage of an id on the way to a connection.
enum IdStage {
    IDLE,
    BOUND,
    ADDRESS_RESOLVED,
    ROUTE_RESOLVED,
    LISTENING,
    /// Connecting or connected, as the active or the passive side: its [PeerProtocol] knows more.
    IN_USE,
    CLOSED;

    static final Set<IdStage> UNBOUND = EnumSet.of(IDLE);
    static final Set<IdStage> RESOLVABLE = EnumSet.of(IDLE, BOUND);
    static final Set<IdStage> CONNECTABLE = EnumSet.of(ROUTE_RESOLVED);
    static final Set<IdStage> OPEN = EnumSet.complementOf(EnumSet.of(CLOSED));
}
