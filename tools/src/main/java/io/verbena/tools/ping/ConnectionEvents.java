package io.verbena.tools.ping;

import io.verbena.verbs.cm.CmEvent;
import io.verbena.verbs.cm.CmEventType;
import io.verbena.verbs.cm.ConnectionId;
import io.verbena.verbs.cm.EventChannel;

/// How one id learns what the connection manager has to say. A program calls `id.connect(...)`, then
/// [#await] of its outcome: with a synchronous id the call itself has waited, otherwise the event is still to come.
///
/// Close the id first.
interface ConnectionEvents extends AutoCloseable {
    /// Counterpart of `rdma_create_id`: for a client or a listener.
    ConnectionId newId();

    /// Takes over the id of a connection request, whose events went to its listener so far.
    void adopt(ConnectionId request);

    /// Waits for the outcome of the last call. Throws when it is another, or does not come in time.
    void await(CmEventType outcome);

    /// The next connection request on a listener; waits for ever.
    CmEvent nextRequest();

    /// The last event, for its private data or what it says about a failure; null before the first.
    CmEvent last();

    /// Whether the peer disconnected. Never waits.
    boolean isGone();

    /// A channel that the thread which waits for completions may wait on, too; null where another thread does.
    EventChannel pollable();

    @Override
    void close();
}
