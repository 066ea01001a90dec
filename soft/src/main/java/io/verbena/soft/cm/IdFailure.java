package io.verbena.soft.cm;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;

/// What an event with an error number does not tell: why.
final class IdFailure {
    private static final Logger LOG = System.getLogger(SoftConnectionId.class.getName());

    private final SoftConnectionId id;
    private volatile RuntimeException reason;

    IdFailure(SoftConnectionId id) {
        this.id = id;
    }

    void set(RuntimeException reason) {
        this.reason = reason;
        LOG.log(Level.DEBUG, () -> id + ": " + reason.getMessage());
    }

    /// Null when nothing failed.
    RuntimeException get() {
        return reason;
    }
}
