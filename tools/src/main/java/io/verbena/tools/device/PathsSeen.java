package io.verbena.tools.device;

import io.verbena.verbs.Context;

/// Which way the messages of a server's connections went. The counters are the device's, so a server can tell the way
/// of a connection that was alone, and of any while nothing at all went through shared memory.
public final class PathsSeen {
    private int open;
    private long opened;

    /// One connection: open while its messages go.
    public final class Connection {
        private final PathSeen seen;
        private final boolean cameAlone;
        private final long number;

        private Connection(Context context) {
            seen = PathSeen.from(context);
            cameAlone = open++ == 0;
            number = ++opened;
        }

        /// The way of the messages, or nothing when it could be another's. Call it once, at the end.
        public String end() {
            synchronized (PathsSeen.this) {
                open--;
                String path = seen.path();
                boolean wasAlone = cameAlone && number == opened;
                return wasAlone || !path.equals(PathSeen.SHARED_MEMORY) ? path : "";
            }
        }
    }

    public synchronized Connection begin(Context context) {
        return new Connection(context);
    }
}
