package io.verbena.verbs.cm;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class CmEventTypeTest {
    /// The texts of `rdma_event_str` for 0, 1, 2, ...
    private static final String[] C_TEXTS = {
        "RDMA_CM_EVENT_ADDR_RESOLVED",
        "RDMA_CM_EVENT_ADDR_ERROR",
        "RDMA_CM_EVENT_ROUTE_RESOLVED",
        "RDMA_CM_EVENT_ROUTE_ERROR",
        "RDMA_CM_EVENT_CONNECT_REQUEST",
        "RDMA_CM_EVENT_CONNECT_RESPONSE",
        "RDMA_CM_EVENT_CONNECT_ERROR",
        "RDMA_CM_EVENT_UNREACHABLE",
        "RDMA_CM_EVENT_REJECTED",
        "RDMA_CM_EVENT_ESTABLISHED",
        "RDMA_CM_EVENT_DISCONNECTED",
        "RDMA_CM_EVENT_DEVICE_REMOVAL",
        "RDMA_CM_EVENT_MULTICAST_JOIN",
        "RDMA_CM_EVENT_MULTICAST_ERROR",
        "RDMA_CM_EVENT_ADDR_CHANGE",
        "RDMA_CM_EVENT_TIMEWAIT_EXIT",
        "RDMA_CM_EVENT_ADDRINFO_RESOLVED",
        "RDMA_CM_EVENT_ADDRINFO_ERROR",
        "RDMA_CM_EVENT_USER",
        "RDMA_CM_EVENT_INTERNAL"
    };

    @Test
    void shouldHaveTheNumbersAndWordsOfC() {
        assertEquals(C_TEXTS.length, CmEventType.UNKNOWN.ordinal());
        for (int code = 0; code < C_TEXTS.length; code++) {
            assertEquals(code, CmEventType.ofCode(code).code());
            assertEquals(C_TEXTS[code], CmEventType.ofCode(code).toString());
        }
    }

    @Test
    void shouldAnswerNumbersItDoesNotKnow() {
        assertEquals(CmEventType.UNKNOWN, CmEventType.ofCode(C_TEXTS.length));
        assertEquals(CmEventType.UNKNOWN, CmEventType.ofCode(-1));
    }
}
