package io.verbena.verbs.cm;

/// Kinds of events of the connection manager. Counterpart of `enum rdma_cm_event_type`; [#code] is the C value,
/// [#toString] the text of `rdma_event_str`.
public enum CmEventType {
    ADDRESS_RESOLVED("RDMA_CM_EVENT_ADDR_RESOLVED"),
    ADDRESS_ERROR("RDMA_CM_EVENT_ADDR_ERROR"),
    ROUTE_RESOLVED("RDMA_CM_EVENT_ROUTE_RESOLVED"),
    ROUTE_ERROR("RDMA_CM_EVENT_ROUTE_ERROR"),
    CONNECT_REQUEST("RDMA_CM_EVENT_CONNECT_REQUEST"),
    CONNECT_RESPONSE("RDMA_CM_EVENT_CONNECT_RESPONSE"),
    CONNECT_ERROR("RDMA_CM_EVENT_CONNECT_ERROR"),
    UNREACHABLE("RDMA_CM_EVENT_UNREACHABLE"),
    REJECTED("RDMA_CM_EVENT_REJECTED"),
    ESTABLISHED("RDMA_CM_EVENT_ESTABLISHED"),
    DISCONNECTED("RDMA_CM_EVENT_DISCONNECTED"),
    DEVICE_REMOVAL("RDMA_CM_EVENT_DEVICE_REMOVAL"),
    MULTICAST_JOIN("RDMA_CM_EVENT_MULTICAST_JOIN"),
    MULTICAST_ERROR("RDMA_CM_EVENT_MULTICAST_ERROR"),
    ADDRESS_CHANGE("RDMA_CM_EVENT_ADDR_CHANGE"),
    TIMEWAIT_EXIT("RDMA_CM_EVENT_TIMEWAIT_EXIT"),
    ADDRESS_INFO_RESOLVED("RDMA_CM_EVENT_ADDRINFO_RESOLVED"),
    ADDRESS_INFO_ERROR("RDMA_CM_EVENT_ADDRINFO_ERROR"),
    USER("RDMA_CM_EVENT_USER"),
    INTERNAL("RDMA_CM_EVENT_INTERNAL"),
    /// A number that newer libraries know; [#code] is -1.
    UNKNOWN("UNKNOWN EVENT");

    private static final CmEventType[] BY_CODE = values();

    private final String text;

    CmEventType(String text) {
        this.text = text;
    }

    /// The number of this kind in C.
    public int code() {
        return this == UNKNOWN ? -1 : ordinal();
    }

    /// UNKNOWN for a number that is not listed here: newer libraries add events.
    public static CmEventType ofCode(int code) {
        return code >= 0 && code < UNKNOWN.ordinal() ? BY_CODE[code] : UNKNOWN;
    }

    @Override
    public String toString() {
        return text;
    }
}
