package io.verbena.soft.cm;

import io.verbena.roce.mad.CmaHeader;
import io.verbena.verbs.cm.ConnectionParameters;

/// A listener for datagrams, as the agent sees it. Called by the owner of the engine; must not wait.
@FunctionalInterface
interface ServiceHandler {
    /// Takes a request, or returns false when too many wait already: then it is dropped and the peer repeats it later.
    boolean onRequest(PendingSidrReply answer, CmaHeader header, ConnectionParameters parameters);
}
