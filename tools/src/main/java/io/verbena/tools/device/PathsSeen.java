package io.verbena.tools.device;

import io.verbena.verbs.Context;

/// The paths that the messages of a server's connections took. The counters are those of the device. So the path of a
/// connection is known if it was the only one, or if nothing at all went through shared memory.
public final class PathsSeen {
    private int open;
    private long opened;

    /// A connection, from its begin to [#end].
    public final class Connection {
        private final PathSeen seen;
        private final boolean cameAlone;
        private final long number;

        private Connection(Context context) {
            seen = PathSeen.from(context);
            cameAlone = open++ == 0;
            number = ++opened;
        }

        /// The path of the messages; empty when it could be that of another connection. To be called once, at the end.
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
