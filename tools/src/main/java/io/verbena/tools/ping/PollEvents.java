package io.verbena.tools.ping;

import io.verbena.verbs.Poller;
import io.verbena.verbs.cm.CmEvent;
import io.verbena.verbs.cm.ConnectionManager;
import io.verbena.verbs.cm.EventChannel;
import java.time.Duration;

/// `--cm poll`, as ping-sr-4: one thread does everything. It waits with a poller for events of the connection only;
/// later, with `--wait poll`, one poller watches both this channel and the completion channel.
final class PollEvents extends AsynchronousEvents {
    private final Poller poller;

    PollEvents(ConnectionManager cm, Duration step) {
        super(cm, step);
        poller = Poller.of(channel());
    }

    @Override
    CmEvent next(Duration timeout) {
        poller.await(timeout);
        return take();
    }

    private CmEvent take() {
        return seen(channel().tryTake());
    }

    /// Takes the events that have arrived meanwhile.
    @Override
    public boolean isGone() {
        while (!super.isGone() && channel().isReady()) {
            take();
        }
        return super.isGone();
    }

    @Override
    public EventChannel pollable() {
        return channel();
    }

    @Override
    public void close() {
        poller.close();
        channel().close();
    }
}
