package io.verbena.verbs.attr;

/// Kinds of events that are not completions. Counterpart of `enum ibv_event_type`; [#code] is the C value, [#toString]
/// the text of `ibv_event_type_str`.
public enum AsyncEventType {
    CQ_ERROR("CQ error"),
    QP_FATAL("local work queue catastrophic error"),
    QP_REQUEST_ERROR("invalid request local work queue error"),
    QP_ACCESS_ERROR("local access violation work queue error"),
    COMMUNICATION_ESTABLISHED("communication established"),
    SEND_QUEUE_DRAINED("send queue drained"),
    PATH_MIGRATED("path migrated"),
    PATH_MIGRATION_ERROR("path migration request error"),
    DEVICE_FATAL("local catastrophic error"),
    PORT_ACTIVE("port active"),
    PORT_ERROR("port error"),
    LID_CHANGE("LID change"),
    PKEY_CHANGE("P_Key change"),
    SM_CHANGE("SM change"),
    SRQ_ERROR("SRQ catastrophic error"),
    SRQ_LIMIT_REACHED("SRQ limit reached"),
    LAST_WORK_REQUEST_REACHED("last WQE reached"),
    CLIENT_REREGISTER("client reregistration"),
    GID_CHANGE("GID table change"),
    WORK_QUEUE_FATAL("WQ fatal"),
    DEVICE_SPEED_CHANGE("device speed change"),
    /// A number that newer libraries know; [#code] is -1.
    UNKNOWN("unknown");

    private static final AsyncEventType[] BY_CODE = values();

    private final String text;

    AsyncEventType(String text) {
        this.text = text;
    }

    /// The number of this kind in C.
    public int code() {
        return this == UNKNOWN ? -1 : ordinal();
    }

    /// UNKNOWN for a number that is not listed here: newer libraries add events.
    public static AsyncEventType ofCode(int code) {
        return code >= 0 && code < UNKNOWN.ordinal() ? BY_CODE[code] : UNKNOWN;
    }

    @Override
    public String toString() {
        return text;
    }
}
