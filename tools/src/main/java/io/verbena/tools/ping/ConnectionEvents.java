package io.verbena.tools.ping;

import io.verbena.tools.program.CompletionLoop;
import io.verbena.tools.program.ProgramServer;
import io.verbena.verbs.cm.CmEvent;
import io.verbena.verbs.cm.CmEventType;
import io.verbena.verbs.cm.ConnectionId;
import io.verbena.verbs.cm.ConnectionManager;
import io.verbena.verbs.cm.EventChannel;
import io.verbena.verbs.cm.PortSpace;
import java.time.Duration;

/// How one id gets the events of the connection manager. A program calls `id.connect(...)`, then [#await] for its
/// outcome.
///
/// This class is `--cm sync`, as ping-sr-0 and ping-sr-1: no event channel; each call itself waits for its outcome. In
/// [ChannelEvents] the event is still to come.
///
/// The id must be closed first.
class ConnectionEvents implements AutoCloseable {
    final ConnectionManager cm;
    /// How long a call may take.
    final Duration step;

    private ConnectionId id;

    ConnectionEvents(ConnectionManager cm, Duration step) {
        this.cm = cm;
        this.step = step;
    }

    /// Counterpart of `rdma_create_id`: for a client or a listener.
    ConnectionId newId() {
        return timed(cm.createSynchronousId(PortSpace.TCP));
    }

    /// Takes over the id of a connection request, whose events have gone to its listener so far.
    void adopt(ConnectionId request) {
        timed(request);
    }

    final ConnectionId timed(ConnectionId own) {
        id = own;
        id.timeout(step);
        return id;
    }

    /// Waits for the outcome of the last call. Throws when the outcome is another, or does not come in time.
    void await(CmEventType outcome) {
        // the call has waited for the outcome, or has thrown
    }

    /// Waits for the next connection request of a listener, for ever.
    CmEvent nextRequest() {
        return ProgramServer.nextClient(id).event();
    }

    /// The last event, with its private data or reason of a failure; null before the first.
    CmEvent last() {
        return id.event();
    }

    /// Whether the peer disconnected. Never waits.
    boolean isGone() {
        return CompletionLoop.Peer.of(id).isGone();
    }

    /// A channel that the thread which waits for completions may also wait on; null when there is none, or another
    /// thread does.
    EventChannel pollable() {
        return null;
    }

    @Override
    public void close() {
        // there is nothing to close
    }
}
