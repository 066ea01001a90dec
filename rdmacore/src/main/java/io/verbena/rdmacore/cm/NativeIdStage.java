package io.verbena.rdmacore.cm;

import java.util.EnumSet;
import java.util.Set;

/// The stage of an id on the way to a connection.
enum NativeIdStage {
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

    static final Set<NativeIdStage> UNBOUND = EnumSet.of(IDLE);
    static final Set<NativeIdStage> RESOLVABLE = EnumSet.of(IDLE, BOUND);
    static final Set<NativeIdStage> LISTENABLE = EnumSet.of(IDLE, BOUND);
    static final Set<NativeIdStage> DISCONNECTABLE = EnumSet.of(ACCEPTED, CONNECTED, DISCONNECTING, DISCONNECTED);
    static final Set<NativeIdStage> OPEN = EnumSet.complementOf(EnumSet.of(CLOSED));
}
