package io.verbena.rdmacore.cm;

import java.util.EnumSet;
import java.util.Set;

/// How far an id is.
enum Stage {
    IDLE,
    BOUND,
    RESOLVING,
    ADDRESS_RESOLVED,
    ROUTE_RESOLVED,
    LISTENING,
    /// A request that was not answered yet.
    REQUESTED,
    CONNECTING,
    /// Answered; the peer has not confirmed yet.
    ACCEPTED,
    CONNECTED,
    DISCONNECTING,
    /// Was connected and is not any more.
    DISCONNECTED,
    /// Did not come to be connected.
    FAILED,
    CLOSED;

    static final Set<Stage> UNBOUND = EnumSet.of(IDLE);
    static final Set<Stage> RESOLVABLE = EnumSet.of(IDLE, BOUND);
    static final Set<Stage> LISTENABLE = EnumSet.of(IDLE, BOUND);
    static final Set<Stage> DISCONNECTABLE = EnumSet.of(ACCEPTED, CONNECTED, DISCONNECTING, DISCONNECTED);
    static final Set<Stage> OPEN = EnumSet.complementOf(EnumSet.of(CLOSED));
}
