package io.verbena.verbs.spi;

import io.verbena.verbs.Errno;
import io.verbena.verbs.cm.CmEventType;
import java.util.Map;

/// The explanations of events that report a failure.
public final class CmEventText {
    private static final int INVALID_SERVICE_ID = 8;

    /// The reasons of a REJ that programs meet; the specification has more.
    private static final Map<Integer, String> REJECTIONS = Map.ofEntries(
            Map.entry(1, "the peer has no queue pair left"),
            Map.entry(3, "the peer has no resources left"),
            Map.entry(4, "the peer waited in vain for an answer"),
            Map.entry(5, "the peer does not support such a request"),
            Map.entry(6, "the peer does not know the communication id"),
            Map.entry(INVALID_SERVICE_ID, "nobody listens there; start the server first, or check the port"),
            Map.entry(9, "the peer does not serve this type of queue pair"),
            Map.entry(10, "the peer still knows the queue pair or communication id from earlier; try again soon"),
            Map.entry(12, "the peer does not have this address (GID)"),
            Map.entry(24, "the peer wants another port and connection manager to be asked"),
            Map.entry(26, "the peer does not take this path MTU"),
            Map.entry(27, "the peer serves fewer reads; ask for fewer with withReads"),
            Map.entry(28, "rejected by the application"),
            Map.entry(29, "the peer does not take this RNR retry count"));

    /// The failures of a datagram service lookup, by the status of the SIDR_REP.
    private static final Map<Integer, String> SERVICE_REFUSALS = Map.of(
            1, "nobody serves that; start the server first, or check the port",
            2, "rejected by the application",
            3, "the service has no queue pair",
            4, "the service is elsewhere");

    private static final Map<Errno, String> ADDRESS_ERRORS = Map.of(
            Errno.ETIMEDOUT, "nobody answers for this address (ARP or neighbour discovery); is the peer up?",
            Errno.EHOSTUNREACH, "nobody answers for this address (ARP or neighbour discovery); is the peer up?",
            Errno.ENETUNREACH, "no route to this address; look at `ip route get`",
            Errno.ENODEV, "no RDMA device on the way to this address; look at `rdma link` and `ip route get`",
            Errno.EADDRNOTAVAIL, "no RDMA device has the local address; look at `ip address` and `rdma link`",
            Errno.EINVAL,
                    "the route leads through an interface without an RDMA device or without its GID;"
                            + " a loopback address has none");

    private CmEventText() {}

    /// The cause of a failure and the remedy; empty when the event reports no failure.
    ///
    /// @param failure the failure on this side, or empty
    public static String of(CmEventType type, int status, String failure) {
        if (!failure.isEmpty()) {
            return failure;
        }
        return switch (type) {
            case REJECTED -> rejected(status);
            case UNREACHABLE ->
                status == -Errno.ETIMEDOUT.number() || status == 0
                        ? "the peer does not answer; check its address, that it runs, and that its listener's backlog"
                                + " is not full"
                        : status == -Errno.ECONNREFUSED.number()
                                ? "no RDMA device is open at this address of this host; start the server first"
                                : status > 0
                                        ? SERVICE_REFUSALS.getOrDefault(
                                                status, "the peer answers with status " + status)
                                        : "the peer cannot be reached (" + error(status) + ")";
            case DISCONNECTED -> disconnected(status);
            case ADDRESS_ERROR, ROUTE_ERROR -> addressError(status);
            case CONNECT_ERROR -> "the connection could not be set up (" + error(status) + ")";
            case MULTICAST_ERROR -> "the group could not be joined (" + error(status) + ")";
            case DEVICE_REMOVAL -> "the device is gone; close everything made of it";
            case ADDRESS_CHANGE -> "the interface's address changed; connections through it must be made anew";
            default -> "";
        };
    }

    /// Reason of a REJ in words.
    private static String rejected(int reason) {
        return REJECTIONS.getOrDefault(reason, "reason " + reason);
    }

    private static String disconnected(int status) {
        return switch (Errno.of(-status)) {
            case ETIMEDOUT -> "the peer does not answer; the connection is closed on this side";
            case ECONNRESET -> "the peer is gone; its process ended without closing the connection";
            default -> "";
        };
    }

    private static String addressError(int status) {
        String text = ADDRESS_ERRORS.get(Errno.of(-status));
        return text == null ? "the address or route could not be resolved (" + error(status) + ")" : text;
    }

    private static String error(int status) {
        Errno errno = Errno.of(Math.abs(status));
        return errno == Errno.OTHER ? "status " + status : errno.toString();
    }
}
