package io.verbena.tools.ping;

import io.verbena.tools.program.ProgramServer;
import io.verbena.verbs.cm.CmEvent;
import io.verbena.verbs.cm.CmEventType;
import io.verbena.verbs.cm.ConnectionId;
import io.verbena.verbs.cm.ConnectionManager;
import io.verbena.verbs.cm.PortSpace;
import java.time.Duration;

/// `--cm sync`, as ping-sr-0 and ping-sr-1: no event channel; each call waits for its outcome.
final class SynchronousEvents implements ConnectionEvents {
    private final ConnectionManager cm;
    private final Duration step;
    private ConnectionId id;

    /// @param step how long a call may take
    SynchronousEvents(ConnectionManager cm, Duration step) {
        this.cm = cm;
        this.step = step;
    }

    @Override
    public ConnectionId newId() {
        id = cm.createSynchronousId(PortSpace.TCP);
        id.timeout(step);
        return id;
    }

    @Override
    public void adopt(ConnectionId request) {
        id = request;
        id.timeout(step);
    }

    @Override
    public void await(CmEventType outcome) {
        // the call has waited for the outcome, or has thrown
    }

    @Override
    public CmEvent nextRequest() {
        return ProgramServer.nextClient(id).event();
    }

    @Override
    public CmEvent last() {
        return id.event();
    }

    @Override
    public boolean isGone() {
        var event = id.event();
        return event != null && event.type() == CmEventType.DISCONNECTED;
    }

    @Override
    public void close() {
        // there is nothing to close
    }
}
