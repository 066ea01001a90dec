package io.verbena.tools.device;

import io.verbena.verbs.Context;

/// The path that the messages of a device took from some moment on, by its counters.
public final class PathSeen {
    public static final String SHARED_MEMORY = "shared memory";
    public static final String UDP = "UDP";
    /// The only path of an adapter.
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

    /// The path of the messages sent since. Right for one connection at a time only, since the counters are those of
    /// the device.
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
