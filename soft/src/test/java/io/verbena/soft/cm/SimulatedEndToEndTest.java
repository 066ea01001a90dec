package io.verbena.soft.cm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.soft.fabric.SimulatedFabric;
import io.verbena.soft.fabric.SimulatedHost;
import io.verbena.soft.fault.FaultPlan;
import io.verbena.verbs.CompletionQueue;
import io.verbena.verbs.Errno;
import io.verbena.verbs.QueuePairOptions;
import io.verbena.verbs.UnsupportedVerbException;
import io.verbena.verbs.attr.CompletionStatus;
import io.verbena.verbs.cm.CmEvent;
import io.verbena.verbs.cm.CmEventType;
import io.verbena.verbs.cm.ConnectionId;
import io.verbena.verbs.cm.EventChannel;
import io.verbena.verbs.cm.PortSpace;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/// Whole connections between simulated hosts, in virtual time, with real queue pairs.
class SimulatedEndToEndTest {
    private static final Duration LONG = Duration.ofSeconds(30);
    private static final int PORT = 7471;

    private SimulatedFabric fabric;
    private SimulatedHost clientHost;
    private SimulatedHost serverHost;
    private EventChannel clientChannel;
    private EventChannel serverChannel;
    private ConnectionId listener;

    private void start(long seed) {
        fabric = new SimulatedFabric(seed);
        clientHost = fabric.host("10.0.0.1");
        serverHost = fabric.host("10.0.0.2");
        clientChannel = clientHost.connectionManager().createEventChannel();
        serverChannel = serverHost.connectionManager().createEventChannel();
        listener = serverHost.connectionManager().createId(serverChannel, PortSpace.TCP);
        listener.bind(new InetSocketAddress(serverHost.address(), PORT));
        listener.listen(0);
    }

    private void stop() {
        listener.close();
        clientChannel.close();
        serverChannel.close();
    }

    private static CmEvent expect(EventChannel channel, CmEventType type) {
        CmEvent event = channel.await(LONG);
        assertNotNull(event, "no event, expected " + type);
        assertEquals(type, event.type());
        return event;
    }

    private CmSide client() {
        return client(new InetSocketAddress(serverHost.address(), PORT));
    }

    private CmSide client(InetSocketAddress server) {
        ConnectionId id = clientHost.connectionManager().createId(clientChannel, PortSpace.TCP);
        id.timeout(LONG);
        id.resolveAddress(null, server, LONG);
        expect(clientChannel, CmEventType.ADDRESS_RESOLVED);
        id.resolveRoute(LONG);
        expect(clientChannel, CmEventType.ROUTE_RESOLVED);
        return new CmSide(id);
    }

    @Test
    void shouldConnectAndDisconnectWhateverIsLost() {
        for (int seed = 0; seed < 40; seed++) {
            start(seed);
            fabric.faults(FaultPlan.none().withLoss(0.25).withDuplicate(0.2).withReorder(0.1));
            CmSide client = client();
            client.id.connect(null);
            CmSide server = new CmSide(
                    expect(serverChannel, CmEventType.CONNECT_REQUEST).id());
            server.id.timeout(LONG);
            server.id.accept(null);
            expect(clientChannel, CmEventType.ESTABLISHED);
            expect(serverChannel, CmEventType.ESTABLISHED);
            client.id.disconnect();
            expect(clientChannel, CmEventType.DISCONNECTED);
            expect(serverChannel, CmEventType.DISCONNECTED);
            expect(clientChannel, CmEventType.TIMEWAIT_EXIT);
            expect(serverChannel, CmEventType.TIMEWAIT_EXIT);
            client.close();
            server.close();
            stop();
        }
    }

    @Test
    void shouldStillSeeDisconnectedWhenServerLooksAfterTheTimeToWait() {
        start(3);
        ConnectionId waiting = serverHost.connectionManager().createSynchronousId(PortSpace.TCP);
        waiting.bind(new InetSocketAddress(serverHost.address(), 0));
        waiting.listen(0);
        CmSide client = client(waiting.localAddress());
        client.id.connect(null);
        CmSide server = new CmSide(waiting.awaitRequest(LONG));
        server.id.accept(null);
        expect(clientChannel, CmEventType.ESTABLISHED);
        client.id.disconnect();
        expect(clientChannel, CmEventType.DISCONNECTED);
        expect(clientChannel, CmEventType.TIMEWAIT_EXIT);
        fabric.run(Duration.ofMinutes(2));
        assertEquals(CmEventType.DISCONNECTED, server.id.event().type());
        server.id.disconnect(); // once more is no error
        client.close();
        server.close();
        waiting.close();
        stop();
    }

    @Test
    void shouldSayWhichQueuePairsAPortSpaceTakes() {
        start(4);
        assertTrue(refusal(PortSpace.UDP, QueuePairOptions::rc).contains("use QueuePairOptions.ud"));
        assertTrue(refusal(PortSpace.TCP, QueuePairOptions::ud).contains("PortSpace.UDP for UD"));
        assertTrue(refusal(PortSpace.TCP, QueuePairOptions::uc).contains("type UC by hand"));
        stop();
    }

    private String refusal(PortSpace space, Function<CompletionQueue, QueuePairOptions> options) {
        try (ConnectionId id = clientHost.connectionManager().createSynchronousId(space)) {
            id.bind(new InetSocketAddress(clientHost.address(), 0));
            try (CompletionQueue cq = id.context().createCompletionQueue(4)) {
                return assertThrows(
                                UnsupportedVerbException.class,
                                () -> id.createQueuePair(id.protectionDomain(), options.apply(cq)))
                        .getMessage();
            }
        }
    }

    @Test
    void shouldTakeFirstDataForRtu() {
        start(7);
        CmSide client = client();
        client.id.connect(null);
        CmSide server =
                new CmSide(expect(serverChannel, CmEventType.CONNECT_REQUEST).id());
        server.id.accept(null);
        // The reply travels, the RTU does not.
        fabric.faults(
                clientHost.address(), serverHost.address(), FaultPlan.none().withLoss(1));
        expect(clientChannel, CmEventType.ESTABLISHED);
        fabric.faults(clientHost.address(), serverHost.address(), FaultPlan.none());
        assertEquals(
                true,
                client.qp.post(client.qp
                        .newSendRequest()
                        .wrId(2)
                        .send()
                        .from(client.buffer, 32, 4)
                        .signaled(true)));
        fabric.run(Duration.ofMillis(1));
        assertEquals(CmEventType.ESTABLISHED, serverChannel.tryTake().type());
        client.close();
        expect(serverChannel, CmEventType.DISCONNECTED);
        server.close();
        stop();
    }

    @Test
    void shouldKeepSendsBackUntilPeerIsReady() {
        start(8);
        CmSide client = client();
        client.id.connect(null);
        CmSide server =
                new CmSide(expect(serverChannel, CmEventType.CONNECT_REQUEST).id());
        server.id.timeout(LONG);
        // Longer than the queue pair would try, shorter than the reply is repeated.
        fabric.faults(
                serverHost.address(), clientHost.address(), FaultPlan.none().withLoss(1));
        server.id.accept(null);
        assertEquals(
                true,
                server.qp.post(server.qp
                        .newSendRequest()
                        .wrId(2)
                        .send()
                        .from(server.buffer, 32, 4)
                        .signaled(true)));
        fabric.run(Duration.ofSeconds(12));
        fabric.faults(serverHost.address(), clientHost.address(), FaultPlan.none());
        expect(clientChannel, CmEventType.ESTABLISHED);
        expect(serverChannel, CmEventType.ESTABLISHED);
        fabric.run(Duration.ofSeconds(1));
        assertEquals(CompletionStatus.SUCCESS, server.await(2));
        client.close();
        expect(serverChannel, CmEventType.DISCONNECTED);
        server.close();
        stop();
    }

    @Test
    void shouldTellPeersWhenProcessEnds() {
        start(10);
        CmSide client = client();
        client.id.connect(null);
        CmSide server =
                new CmSide(expect(serverChannel, CmEventType.CONNECT_REQUEST).id());
        server.id.accept(null);
        expect(clientChannel, CmEventType.ESTABLISHED);
        expect(serverChannel, CmEventType.ESTABLISHED);
        ((SoftConnectionManager) clientHost.connectionManager()).disconnectBeforeExit();
        expect(serverChannel, CmEventType.DISCONNECTED);
        client.close();
        server.close();
        stop();
    }

    @Test
    void shouldReportUnreachableWithinTheTimeout() {
        start(9);
        fabric.faults(FaultPlan.none().withLoss(1));
        CmSide client = client();
        client.id.timeout(Duration.ofSeconds(7));
        Duration start = fabric.elapsed();
        client.id.connect(null);
        assertEquals(
                -Errno.ETIMEDOUT.number(),
                expect(clientChannel, CmEventType.UNREACHABLE).status());
        assertEquals(7, fabric.elapsed().minus(start).toSeconds());
        client.close();
        stop();
    }
}
