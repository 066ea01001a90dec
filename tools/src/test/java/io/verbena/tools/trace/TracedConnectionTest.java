package io.verbena.tools.trace;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.tools.LoopbackAddress;
import io.verbena.verbs.CompletionQueue;
import io.verbena.verbs.QueuePairOptions;
import io.verbena.verbs.Rdma;
import io.verbena.verbs.RdmaException;
import io.verbena.verbs.cm.CmEvent;
import io.verbena.verbs.cm.CmEventType;
import io.verbena.verbs.cm.ConnectionId;
import io.verbena.verbs.cm.ConnectionParameters;
import io.verbena.verbs.cm.EventChannel;
import io.verbena.verbs.cm.PortSpace;
import io.verbena.verbs.spi.RdmaProvider;
import java.net.InetSocketAddress;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// A traced server with a channel, and a traced client without one.
@Timeout(30)
class TracedConnectionTest {
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private final InetSocketAddress address = new InetSocketAddress(LoopbackAddress.any(), 7000);
    private final TraceLines serverLines = new TraceLines();
    private final TraceLines clientLines = new TraceLines();
    private final RdmaProvider server = Tracing.of(Rdma.provider("soft"), serverLines);
    private final RdmaProvider client = Tracing.of(Rdma.provider("soft"), clientLines);

    private ConnectionId resolve() {
        var local = new InetSocketAddress(LoopbackAddress.any(), 0);
        return client.connectionManager().createEndpoint(PortSpace.TCP, local, address, PATIENCE);
    }

    @Test
    void shouldConnectAndTellEventsInOrder() throws Exception {
        try (EventChannel events = server.connectionManager().createEventChannel();
                ConnectionId listener = server.connectionManager().createId(events, PortSpace.TCP)) {
            Object mine = new Object();
            listener.attachment(mine);
            listener.bind(address);
            listener.listen(1);
            assertNull(events.tryTake());
            Thread peer = Thread.ofPlatform().start(this::runClient);
            CmEvent request = events.await(PATIENCE);
            assertEquals(CmEventType.CONNECT_REQUEST, request.type());
            assertSame(listener, request.listener());
            assertSame(events, request.id().channel());
            assertSame(mine, request.id().attachment());
            try (ConnectionId id = request.id()) {
                CompletionQueue cq = id.context().createCompletionQueue(4);
                id.createQueuePair(id.protectionDomain(), QueuePairOptions.rc(cq));
                id.accept(ConnectionParameters.DEFAULT);
                assertEquals(CmEventType.ESTABLISHED, events.await(PATIENCE).type());
                assertEquals(CmEventType.DISCONNECTED, events.await(PATIENCE).type());
                id.disconnect();
            }
            peer.join();
        }
        serverLines.requireOrder(
                "rdma_create_event_channel",
                "rdma_create_id",
                "rdma_bind_addr",
                "rdma_listen",
                "RDMA_CM_EVENT_CONNECT_REQUEST",
                "rdma_create_qp",
                "rdma_accept",
                "RDMA_CM_EVENT_ESTABLISHED",
                "RDMA_CM_EVENT_DISCONNECTED",
                "rdma_destroy_id");
        String request = serverLines.first("RDMA_CM_EVENT_CONNECT_REQUEST").text();
        assertTrue(request.startsWith("id 2  from 127."), request);
        assertTrue(request.endsWith("private_data 010203"), request);
        clientLines.requireOrder(
                "rdma_create_ep",
                "rdma_create_id",
                "rdma_resolve_addr",
                "RDMA_CM_EVENT_ADDR_RESOLVED",
                "rdma_resolve_route",
                "RDMA_CM_EVENT_ROUTE_RESOLVED",
                "rdma_create_qp",
                "rdma_connect",
                "RDMA_CM_EVENT_ESTABLISHED",
                "rdma_disconnect",
                "RDMA_CM_EVENT_DISCONNECTED",
                "rdma_destroy_id");
    }

    private void runClient() {
        try (ConnectionId id = resolve()) {
            CompletionQueue cq = id.context().createCompletionQueue(4);
            id.createQueuePair(id.protectionDomain(), QueuePairOptions.rc(cq));
            id.connect(ConnectionParameters.DEFAULT.withPrivateData(new byte[] {1, 2, 3, 0}));
            assertEquals(CmEventType.ESTABLISHED, id.event().type());
            assertSame(id, id.event().id());
            id.disconnect();
        }
    }

    @Test
    void shouldTellThatAConnectionWasRefused() {
        try (ConnectionId listener = server.connectionManager().createSynchronousId(PortSpace.TCP)) {
            listener.bind(new InetSocketAddress(address.getAddress(), 7001));
            listener.listen(1);
            try (ConnectionId id = resolve()) {
                CompletionQueue cq = id.context().createCompletionQueue(4);
                id.createQueuePair(id.protectionDomain(), QueuePairOptions.rc(cq));
                assertThrows(RdmaException.class, () -> id.connect(ConnectionParameters.DEFAULT));
            }
        }
        clientLines.requireOrder("rdma_connect", "RDMA_CM_EVENT_REJECTED", "rdma_connect", "rdma_destroy_id");
    }
}
