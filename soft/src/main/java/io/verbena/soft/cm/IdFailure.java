package io.verbena.soft.cm;

import io.verbena.verbs.cm.CmEventType;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.EnumSet;
import java.util.Set;

/// The reason of a failure, which the error number of the event does not show.
final class IdFailure {
    private static final Logger LOG = System.getLogger(SoftConnectionId.class.getName());

    private static final Set<CmEventType> TYPES = EnumSet.of(
            CmEventType.ADDRESS_ERROR, CmEventType.ROUTE_ERROR, CmEventType.CONNECT_ERROR, CmEventType.MULTICAST_ERROR);

    private final SoftConnectionId id;
    private volatile RuntimeException reason;

    IdFailure(SoftConnectionId id) {
        this.id = id;
    }

    void set(RuntimeException reason) {
        this.reason = reason;
        LOG.log(Level.DEBUG, () -> id + ": " + reason.getMessage());
    }

    /// For events of those types; empty for others, and when nothing failed.
    String text(CmEventType type) {
        RuntimeException present = reason;
        return present == null || !TYPES.contains(type) ? "" : present.getMessage();
    }

    /// Null when nothing failed.
    RuntimeException get() {
        return reason;
    }
}
