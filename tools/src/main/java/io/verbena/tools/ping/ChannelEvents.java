package io.verbena.tools.ping;

import io.verbena.tools.program.ProgramException;
import io.verbena.verbs.Poller;
import io.verbena.verbs.cm.CmEvent;
import io.verbena.verbs.cm.CmEventType;
import io.verbena.verbs.cm.ConnectionId;
import io.verbena.verbs.cm.ConnectionManager;
import io.verbena.verbs.cm.EventChannel;
import io.verbena.verbs.cm.PortSpace;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Set;

/// `--cm poll`, as ping-sr-4: calls return at once, and their outcome is an event of a channel. One thread does
/// everything. It waits with a poller for events of the connection only; later, with `--wait poll`, one poller watches
/// both this channel and the completion channel. In [ThreadEvents] a second thread takes the events.
class ChannelEvents extends ConnectionEvents {
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

    private final EventChannel channel;
    /// Made when it is waited for.
    private Poller poller;

    private CmEvent last;
    private volatile boolean gone;

    ChannelEvents(ConnectionManager cm, Duration step) {
        super(cm, step);
        channel = cm.createEventChannel();
    }

    final EventChannel channel() {
        return channel;
    }

    /// The next event, null after the timeout.
    CmEvent next(Duration timeout) {
        poller = poller == null ? Poller.of(channel) : poller;
        poller.await(timeout);
        return seen(channel.tryTake());
    }

    @Override
    ConnectionId newId() {
        return timed(cm.createId(channel, PortSpace.TCP));
    }

    /// Each connection has its own channel, so that its events reach only the thread that serves it.
    @Override
    void adopt(ConnectionId request) {
        request.migrate(channel);
        timed(request);
    }

    @Override
    final void await(CmEventType outcome) {
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
    final CmEvent nextRequest() {
        while (true) {
            CmEvent event = next(UNTIL_LOOK_AGAIN);
            if (event != null && event.type() == CmEventType.CONNECT_REQUEST) {
                return event;
            }
        }
    }

    @Override
    final CmEvent last() {
        return last;
    }

    /// To be called with each event that was taken, or null; returns it.
    final CmEvent seen(CmEvent event) {
        gone |= event != null
                && (event.type() == CmEventType.DISCONNECTED || event.type() == CmEventType.DEVICE_REMOVAL);
        return event;
    }

    /// Takes the events that have arrived meanwhile, if this thread is the one that takes them. Else reads one
    /// variable: cheap enough for a thread that spins.
    @Override
    final boolean isGone() {
        while (!gone && pollable() != null && channel.isReady()) {
            seen(channel.tryTake());
        }
        return gone;
    }

    @Override
    EventChannel pollable() {
        return channel;
    }

    @Override
    public void close() {
        if (poller != null) {
            poller.close();
        }
        channel.close();
    }
}
