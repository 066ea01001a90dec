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

    /// For the search of a datagram service, whose refusals have numbers of their own.
    static String service(CmEventType type, int status) {
        if (type != CmEventType.UNREACHABLE || status < 0) {
            return of(type, status, null);
        }
        return switch (status) {
            case 1 -> "nobody serves that; start the server first, or check the port";
            case 2 -> "rejected by the application";
            case 3 -> "the service has no queue pair";
            case 4 -> "the service is elsewhere";
            default -> "the peer answers with status " + status;
        };
    }

    private static String rejected(int reason) {
        String text = RejectReason.text(reason);
        return reason == RejectReason.INVALID_SERVICE_ID.code()
                ? text + "; start the server first, or check the port"
                : text;
    }
}
