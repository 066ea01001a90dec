package io.verbena.tools.ping;

import io.verbena.verbs.cm.CmEvent;
import io.verbena.verbs.cm.CmEventType;
import io.verbena.verbs.cm.ConnectionId;
import io.verbena.verbs.cm.EventChannel;

/// How one id gets the events of the connection manager. A program calls `id.connect(...)`, then [#await] for its
/// outcome: with a synchronous id the call itself has waited, otherwise the event is still to come.
///
/// The id must be closed first.
interface ConnectionEvents extends AutoCloseable {
    /// Counterpart of `rdma_create_id`: for a client or a listener.
    ConnectionId newId();

    /// Takes over the id of a connection request, whose events have gone to its listener so far.
    void adopt(ConnectionId request);

    /// Waits for the outcome of the last call. Throws when the outcome is another, or does not come in time.
    void await(CmEventType outcome);

    /// Waits for the next connection request of a listener, for ever.
    CmEvent nextRequest();

    /// The last event, with its private data or reason of a failure; null before the first.
    CmEvent last();

    /// Whether the peer disconnected. Never waits.
    boolean isGone();

    /// A channel that the thread which waits for completions may also wait on; null when there is none, or another
    /// thread does.
    default EventChannel pollable() {
        return null;
    }

    @Override
    void close();
}
