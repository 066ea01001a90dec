package io.verbena.tools.ping;

import io.verbena.verbs.cm.ConnectionManager;
import java.time.Duration;
import java.util.Locale;

/// `--cm`: how a program waits for events of the connection manager.
enum CmWay {
    /// The calls themselves wait.
    SYNC {
        @Override
        ConnectionEvents open(ConnectionManager cm, Duration step) {
            return new SynchronousEvents(cm, step);
        }
    },
    /// A second thread takes the events.
    THREAD {
        @Override
        ConnectionEvents open(ConnectionManager cm, Duration step) {
            return new ThreadEvents(cm, step);
        }
    },
    /// The one thread uses a poller.
    POLL {
        @Override
        ConnectionEvents open(ConnectionManager cm, Duration step) {
            return new PollEvents(cm, step);
        }
    };

    /// @param step how long a call of the connection manager may take
    abstract ConnectionEvents open(ConnectionManager cm, Duration step);

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
