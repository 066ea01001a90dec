package io.verbena.sockets;

import io.verbena.verbs.cm.CmEvent;

/// What the connection manager's events are for. An id has it as its attachment.
interface CmHandler {
    /// Called by the owner of the hub.
    void onCmEvent(CmEvent event);
}
