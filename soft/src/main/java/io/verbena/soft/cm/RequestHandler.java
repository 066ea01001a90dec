package io.verbena.soft.cm;

import io.verbena.roce.mad.CmaHeader;
import io.verbena.verbs.cm.ConnectionParameters;

/// A listener, as the agent sees it. Called by the owner of the engine; must not wait.
@FunctionalInterface
interface RequestHandler {
    /// Takes a connection request, or returns null when too many wait already: then the request is dropped and the
    /// peer repeats it later, as with Linux.
    ConnectionHandler onRequest(CmConnection connection, CmaHeader header, ConnectionParameters parameters);
}
