package io.verbena.soft.limit;

import io.verbena.verbs.Errno;
import io.verbena.verbs.RdmaException;

/// How many things of one kind a device has, and that it has no more than it says it can. Safe from any thread.
public final class Quota {
    private final String things;
    private final int limit;
    private int taken;

    public Quota(String things, int limit) {
        this.things = things;
        this.limit = limit;
    }

    /// Counts one more, unless the device has them all.
    public synchronized void take(String verb) {
        if (taken == limit) {
            throw new RdmaException(
                    verb, Errno.ENOMEM, "the device has " + taken + " " + things + " already, its limit; close some");
        }
        taken++;
    }

    public synchronized void giveBack() {
        taken--;
    }
}
