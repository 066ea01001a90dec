package io.verbena.soft.cm;

import io.verbena.roce.mad.RejectReason;
import io.verbena.verbs.Errno;
import io.verbena.verbs.cm.CmEventType;

/// What events that tell of a failure say to people.
final class EventText {
    private EventText() {}

    /// @param failure what this side ran into, or null
    static String of(CmEventType type, int status, RuntimeException failure) {
        return switch (type) {
            case REJECTED -> rejected(status);
            case UNREACHABLE -> "the peer does not answer; check its address and that it runs";
            case DISCONNECTED ->
                status == -Errno.ETIMEDOUT.number()
                        ? "the peer did not confirm; the connection is closed on this side"
                        : "";
            case ADDRESS_ERROR, ROUTE_ERROR, CONNECT_ERROR -> failure == null ? "" : failure.getMessage();
            default -> "";
        };
    }

    private static String rejected(int reason) {
        String text = RejectReason.text(reason);
        return reason == RejectReason.INVALID_SERVICE_ID.code()
                ? text + "; start the server first, or check the port"
                : text;
    }
}
