package io.verbena.tools.ping;

import io.verbena.verbs.Poller;
import io.verbena.verbs.cm.CmEvent;
import io.verbena.verbs.cm.ConnectionManager;
import io.verbena.verbs.cm.EventChannel;
import java.time.Duration;

/// `--cm poll`, the way of ping-sr-4: one thread looks after everything. It waits with a poller while there is
/// nothing but the connection to wait for; later, with `--wait poll`, one poller watches this channel and that
/// of the completions.
final class PollEvents extends AsynchronousEvents {
    private final Poller poller;
    private boolean gone;

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
        CmEvent event = channel().tryTake();
        gone |= event != null && isEnd(event);
        return event;
    }

    /// Takes what has come in meanwhile.
    @Override
    public boolean isGone() {
        while (!gone && channel().isReady()) {
            take();
        }
        return gone;
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
