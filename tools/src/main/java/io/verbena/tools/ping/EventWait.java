package io.verbena.tools.ping;

import io.verbena.verbs.cm.ConnectionManager;
import java.time.Duration;
import java.util.Locale;
import java.util.function.BiFunction;

/// `--cm`: how a program waits for events of the connection manager.
enum EventWait {
    /// The calls themselves wait.
    SYNC(ConnectionEvents::new),
    /// A second thread takes the events.
    THREAD(ThreadEvents::new),
    /// The one thread uses a poller.
    POLL(ChannelEvents::new);

    private final BiFunction<ConnectionManager, Duration, ConnectionEvents> events;

    EventWait(BiFunction<ConnectionManager, Duration, ConnectionEvents> events) {
        this.events = events;
    }

    /// @param step how long a call of the connection manager may take
    ConnectionEvents open(ConnectionManager cm, Duration step) {
        return events.apply(cm, step);
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
