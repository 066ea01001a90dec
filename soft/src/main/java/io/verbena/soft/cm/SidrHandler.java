package io.verbena.soft.cm;

import io.verbena.verbs.cm.CmEventType;
import io.verbena.verbs.cm.ConnectionParameters;
import io.verbena.verbs.cm.DatagramPeer;

/// Whom the search for a datagram service reports to. Called by the owner of the engine; must not wait.
@FunctionalInterface
interface SidrHandler {
    /// @param peer null unless the service was found
    void onEvent(CmEventType type, int status, ConnectionParameters parameters, DatagramPeer peer);
}
