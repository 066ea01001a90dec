package io.verbena.tools.ping;

import io.verbena.tools.program.ProgramException;
import io.verbena.verbs.cm.CmEvent;
import io.verbena.verbs.cm.CmEventType;
import io.verbena.verbs.cm.ConnectionId;
import io.verbena.verbs.cm.ConnectionManager;
import io.verbena.verbs.cm.EventChannel;
import io.verbena.verbs.cm.PortSpace;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Set;

/// The common part of the two modes with an event channel: calls return at once, and their outcome is an event.
abstract class AsynchronousEvents implements ConnectionEvents {
    static final Duration UNTIL_LOOK_AGAIN = Duration.ofMinutes(1);
    /// The connection manager itself gives up after a step, with the reason: wait a little longer than it does.
    private static final Duration GRACE = Duration.ofSeconds(2);

    private static final Set<CmEventType> FAILURES = EnumSet.of(
            CmEventType.ADDRESS_ERROR,
            CmEventType.ROUTE_ERROR,
            CmEventType.CONNECT_ERROR,
            CmEventType.UNREACHABLE,
            CmEventType.REJECTED,
            CmEventType.DISCONNECTED,
            CmEventType.DEVICE_REMOVAL);

    private final ConnectionManager cm;
    private final Duration step;
    private final EventChannel channel;
    private CmEvent last;
    private volatile boolean gone;

    AsynchronousEvents(ConnectionManager cm, Duration step) {
        this.cm = cm;
        this.step = step;
        this.channel = cm.createEventChannel();
    }

    /// The next event, null after the timeout.
    abstract CmEvent next(Duration timeout);

    EventChannel channel() {
        return channel;
    }

    @Override
    public ConnectionId newId() {
        ConnectionId id = cm.createId(channel, PortSpace.TCP);
        id.timeout(step);
        return id;
    }

    /// Each connection has its own channel, so that its events reach only the thread that serves it.
    @Override
    public void adopt(ConnectionId request) {
        request.migrate(channel);
        request.timeout(step);
    }

    @Override
    public void await(CmEventType outcome) {
        long start = System.nanoTime();
        Duration most = step.plus(GRACE);
        while (true) {
            Duration left = most.minusNanos(System.nanoTime() - start);
            if (!left.isPositive()) {
                throw new ProgramException("no " + outcome + " within " + most.toSeconds() + " s");
            }
            CmEvent event = next(left);
            if (event == null) {
                continue;
            }
            last = event;
            if (event.type() == outcome) {
                return;
            }
            if (FAILURES.contains(event.type())) {
                throw new ProgramException(event.explain());
            }
        }
    }

    @Override
    public CmEvent nextRequest() {
        while (true) {
            CmEvent event = next(UNTIL_LOOK_AGAIN);
            if (event != null && event.type() == CmEventType.CONNECT_REQUEST) {
                return event;
            }
        }
    }

    @Override
    public CmEvent last() {
        return last;
    }

    /// To be called with each event that was taken, or null; returns it.
    CmEvent seen(CmEvent event) {
        gone |= event != null
                && (event.type() == CmEventType.DISCONNECTED || event.type() == CmEventType.DEVICE_REMOVAL);
        return event;
    }

    /// Reads one variable: cheap enough for a thread that spins.
    @Override
    public boolean isGone() {
        return gone;
    }
}
