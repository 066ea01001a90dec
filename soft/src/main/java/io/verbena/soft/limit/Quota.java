package io.verbena.soft.limit;

import io.verbena.soft.event.SoftEvents;
import io.verbena.verbs.Errno;
import io.verbena.verbs.RdmaException;

/// Counts the objects of one kind of a device, and enforces its limit. Safe from any thread.
public final class Quota {
    private final String things;
    private final int limit;
    private int taken;

    public Quota(String things, int limit) {
        this.things = things;
        this.limit = limit;
    }

    /// Counts one more; throws when the device is at its limit.
    public synchronized void take(String verb) {
        if (taken == limit) {
            SoftEvents.limitReached(verb, "refused", "the device has no more " + things, limit);
            throw new RdmaException(
                    verb, Errno.ENOMEM, "the device has " + taken + " " + things + " already, its limit; close some");
        }
        taken++;
    }

    public synchronized void giveBack() {
        taken--;
    }
}
