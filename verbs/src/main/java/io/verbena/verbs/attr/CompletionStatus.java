package io.verbena.verbs.attr;

/// How a work request ended. Counterpart of `enum ibv_wc_status`: [#code] is the C value, [#toString] the text of
/// `ibv_wc_status_str`, [#explain] names the usual cause and the remedy.
public enum CompletionStatus {
    SUCCESS("success", "the request was executed"),
    LOCAL_LENGTH_ERROR(
            "local length error",
            "the message did not fit the posted receive buffer, or exceeds the port's limit; post larger buffers"),
    LOCAL_QP_OPERATION_ERROR(
            "local QP operation error",
            "the queue pair could not execute this request; check operation and attributes"),
    LOCAL_EEC_OPERATION_ERROR("local EE context operation error", "reliable datagram service is not in use"),
    LOCAL_PROTECTION_ERROR(
            "local protection error",
            "a buffer of the request is not covered by its lkey: closed region, wrong range, other protection domain, or"
                    + " no LOCAL_WRITE where data is to be placed"),
    WORK_REQUEST_FLUSHED(
            "Work Request Flushed Error",
            "the queue pair was in the error state when the request's turn came: the connection was disconnected, or an earlier request failed; look at its completion"),
    MEMORY_WINDOW_BIND_ERROR(
            "memory management operation error",
            "the window could not be bound: check MEMORY_WINDOW_BIND, range and rights"),
    BAD_RESPONSE("bad response error", "the peer answered with a packet that does not fit the request"),
    LOCAL_ACCESS_ERROR("local access error", "a protection error while the peer's data was being placed"),
    REMOTE_INVALID_REQUEST(
            "remote invalid request error",
            "the peer refused the request: message longer than its receive buffer, operation not allowed by its queue"
                    + " pair's access flags, or wrong alignment; of a receive: the peer's SEND_WITH_INVALIDATE named a key"
                    + " that cannot be revoked"),
    REMOTE_ACCESS_ERROR(
            "remote access error",
            "the peer's memory key does not allow this access: wrong or stale rkey, range outside the region, or a"
                    + " missing REMOTE_READ / REMOTE_WRITE / REMOTE_ATOMIC right"),
    REMOTE_OPERATION_ERROR(
            "remote operation error", "the peer could not execute the request, e.g. its receive buffer was invalid"),
    RETRY_EXCEEDED(
            "transport retry counter exceeded",
            "the peer did not answer: dead, unreachable, its queue pair gone or in error, or QP number, PSN or address"
                    + " do not match"),
    RNR_RETRY_EXCEEDED(
            "RNR retry counter exceeded",
            "the peer had no receive posted; post receives before the peer sends, or raise rnrRetry (7 = wait for ever)"),
    LOCAL_RDD_VIOLATION("local RDD violation error", "reliable datagram service is not in use"),
    REMOTE_INVALID_RD_REQUEST("remote invalid RD request", "reliable datagram service is not in use"),
    REMOTE_ABORTED("aborted error", "the peer aborted the operation"),
    INVALID_EEC_NUMBER("invalid EE context number", "reliable datagram service is not in use"),
    INVALID_EEC_STATE("invalid EE context state", "reliable datagram service is not in use"),
    FATAL("fatal error", "the device failed"),
    RESPONSE_TIMEOUT("response timeout error", "no response in time"),
    GENERAL("general error", "the device gives no closer reason"),
    TAG_MATCHING_ERROR("TM error", "tag matching failed"),
    TAG_MATCHING_RENDEZVOUS("TM software rendezvous", "the message needs a rendezvous in software");

    private static final CompletionStatus[] BY_CODE = values();

    private final String text;
    private final String explanation;

    CompletionStatus(String text, String explanation) {
        this.text = text;
        this.explanation = explanation;
    }

    /// The number of this status in C.
    public int code() {
        return ordinal();
    }

    /// The usual cause of the status, and the remedy.
    public String explain() {
        return text + ": " + explanation;
    }

    @Override
    public String toString() {
        return text;
    }

    /// GENERAL for a number that is not listed here: newer libraries may add some.
    public static CompletionStatus ofCode(int code) {
        return code >= 0 && code < BY_CODE.length ? BY_CODE[code] : GENERAL;
    }

    /// The text for a number of a status, numbers out of range included. Counterpart of `ibv_wc_status_str`.
    public static String text(int code) {
        return code >= 0 && code < BY_CODE.length ? BY_CODE[code].text : "unknown";
    }
}
