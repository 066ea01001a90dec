package io.verbena.tools.device;

import io.verbena.verbs.Context;

/// Which way the messages of a device went from some moment on, as its counters tell.
public final class PathSeen {
    public static final String SHARED_MEMORY = "shared memory";
    public static final String UDP = "UDP";
    /// Adapters have one way only.
    public static final String NETWORK = "network";

    private static final String COUNTER = "messages over shared memory";

    private final Context context;
    private final long before;

    private PathSeen(Context context) {
        this.context = context;
        this.before = count();
    }

    public static PathSeen from(Context context) {
        return new PathSeen(context);
    }

    /// The way of what was sent since. For one connection at a time: the counters are the device's.
    public String path() {
        if (context.paths().isEmpty()) {
            return NETWORK;
        }
        return count() > before ? SHARED_MEMORY : UDP;
    }

    private long count() {
        return context.counters().getOrDefault(COUNTER, 0L);
    }
}
