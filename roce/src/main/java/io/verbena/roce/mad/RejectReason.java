package io.verbena.roce.mad;

/// Why a connection was refused: the numbers of a REJ.
public enum RejectReason {
    NO_QUEUE_PAIR(1, "no queue pair available"),
    NO_END_TO_END_CONTEXT(2, "no end-to-end context available"),
    NO_RESOURCES(3, "no resources available"),
    /// The additional information is the 8-byte GUID of the sender, by which the connection is found.
    TIMEOUT(4, "timeout"),
    UNSUPPORTED_REQUEST(5, "unsupported request"),
    INVALID_COMM_ID(6, "invalid communication id"),
    INVALID_COMM_INSTANCE(7, "invalid communication instance"),
    INVALID_SERVICE_ID(8, "invalid service id: nobody listens there"),
    INVALID_TRANSPORT_TYPE(9, "invalid transport service type"),
    STALE_CONNECTION(10, "stale connection: the queue pair or communication id is still known from earlier"),
    RDC_DOES_NOT_EXIST(11, "reliable datagram channel does not exist"),
    /// The additional information is a GID that would do.
    INVALID_GID(12, "invalid primary GID"),
    INVALID_LID(13, "invalid primary LID"),
    INVALID_SERVICE_LEVEL(14, "invalid primary service level"),
    INVALID_TRAFFIC_CLASS(15, "invalid primary traffic class"),
    INVALID_HOP_LIMIT(16, "invalid primary hop limit"),
    INVALID_PACKET_RATE(17, "invalid primary packet rate"),
    INVALID_ALTERNATE_GID(18, "invalid alternate GID"),
    INVALID_ALTERNATE_LID(19, "invalid alternate LID"),
    INVALID_ALTERNATE_SERVICE_LEVEL(20, "invalid alternate service level"),
    INVALID_ALTERNATE_TRAFFIC_CLASS(21, "invalid alternate traffic class"),
    INVALID_ALTERNATE_HOP_LIMIT(22, "invalid alternate hop limit"),
    INVALID_ALTERNATE_PACKET_RATE(23, "invalid alternate packet rate"),
    PORT_AND_CM_REDIRECT(24, "port and connection manager redirection"),
    PORT_REDIRECT(25, "port redirection"),
    /// The additional information is one byte, the largest MTU code that would do.
    INVALID_PATH_MTU(26, "invalid path MTU"),
    INSUFFICIENT_RESPONDER_RESOURCES(27, "insufficient responder resources"),
    CONSUMER_REJECT(28, "rejected by the application"),
    INVALID_RNR_RETRY_COUNT(29, "invalid RNR retry count"),
    DUPLICATE_LOCAL_COMM_ID(30, "duplicate local communication id"),
    INVALID_CLASS_VERSION(31, "invalid class version"),
    INVALID_FLOW_LABEL(32, "invalid primary flow label"),
    INVALID_ALTERNATE_FLOW_LABEL(33, "invalid alternate flow label"),
    VENDOR_OPTION_NOT_SUPPORTED(35, "vendor option not supported");

    private static final RejectReason[] VALUES = values();

    private final int code;
    private final String text;

    RejectReason(int code, String text) {
        this.code = code;
        this.text = text;
    }

    /// The number of this reason on the wire.
    public int code() {
        return code;
    }

    /// The meaning of the reason, in words.
    public String text() {
        return text;
    }

    /// The reason of a number, or null: peers may send numbers from later specifications.
    public static RejectReason of(int code) {
        for (RejectReason reason : VALUES) {
            if (reason.code == code) {
                return reason;
            }
        }
        return null;
    }

    /// A sentence for any number, known or not.
    public static String text(int code) {
        RejectReason reason = of(code);
        return reason == null ? "reason " + code : reason.text;
    }
}
