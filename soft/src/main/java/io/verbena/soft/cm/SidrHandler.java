package io.verbena.soft.cm;

import io.verbena.verbs.cm.CmEventType;
import io.verbena.verbs.cm.ConnectionParameters;
import io.verbena.verbs.cm.DatagramPeer;

/// Receives the outcome of a lookup of a datagram service. Called by the owner of the engine; must not wait.
@FunctionalInterface
interface SidrHandler {
    /// @param peer null unless the service was found
    void onEvent(CmEventType type, int status, ConnectionParameters parameters, DatagramPeer peer);
}
