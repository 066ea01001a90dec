package io.verbena.verbs.cm;

/// Counterpart of `enum rdma_cm_event_type`; [#toString] is the text of `rdma_event_str`.
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
    TIMEWAIT_EXIT("RDMA_CM_EVENT_TIMEWAIT_EXIT");

    private static final CmEventType[] BY_CODE = values();

    private final String text;

    CmEventType(String text) {
        this.text = text;
    }

    public int code() {
        return ordinal();
    }

    public static CmEventType ofCode(int code) {
        return BY_CODE[code];
    }

    @Override
    public String toString() {
        return text;
    }
}
