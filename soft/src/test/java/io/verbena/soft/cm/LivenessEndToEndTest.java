package io.verbena.soft.cm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.soft.engine.Counter;
import io.verbena.soft.fabric.SimulatedFabric;
import io.verbena.soft.fabric.SimulatedHost;
import io.verbena.soft.fault.FaultPlan;
import io.verbena.verbs.Errno;
import io.verbena.verbs.attr.CompletionStatus;
import io.verbena.verbs.attr.QueuePairState;
import io.verbena.verbs.cm.CmEvent;
import io.verbena.verbs.cm.CmEventType;
import io.verbena.verbs.cm.ConnectionId;
import io.verbena.verbs.cm.ConnectionOption;
import io.verbena.verbs.cm.EventChannel;
import io.verbena.verbs.cm.PortSpace;
import java.net.InetSocketAddress;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Idle connections of the connection manager whose peer lives, vanishes, or was away, in virtual time.
class LivenessEndToEndTest {
    private static final Duration LONG = Duration.ofSeconds(30);
    private static final Duration HOUR = Duration.ofHours(1);
    private static final int PORT = 7471;

    private final SimulatedFabric fabric = new SimulatedFabric(5);
    private final SimulatedHost clientHost = fabric.host("10.0.0.1");
    private final SimulatedHost serverHost = fabric.host("10.0.0.2");
    private final EventChannel clientChannel = clientHost.connectionManager().createEventChannel();
    private final EventChannel serverChannel = serverHost.connectionManager().createEventChannel();
    private final ConnectionId listener = serverHost.connectionManager().createId(serverChannel, PortSpace.TCP);
    private CmSide client;
    private CmSide server;

    /// Null leaves the option as it is.
    private void connect(Integer liveness) {
        if (liveness != null) {
            listener.option(ConnectionOption.LIVENESS, liveness);
        }
        listener.bind(new InetSocketAddress(serverHost.address(), PORT));
        listener.listen(0);
        ConnectionId id = clientHost.connectionManager().createId(clientChannel, PortSpace.TCP);
        if (liveness != null) {
            id.option(ConnectionOption.LIVENESS, liveness);
        }
        id.resolveAddress(null, new InetSocketAddress(serverHost.address(), PORT), LONG);
        expect(clientChannel, CmEventType.ADDRESS_RESOLVED);
        id.resolveRoute(LONG);
        expect(clientChannel, CmEventType.ROUTE_RESOLVED);
        client = new CmSide(id);
        client.id.connect(null);
        server = new CmSide(expect(serverChannel, CmEventType.CONNECT_REQUEST).id());
        server.id.accept(null);
        expect(clientChannel, CmEventType.ESTABLISHED);
        expect(serverChannel, CmEventType.ESTABLISHED);
    }

    private static CmEvent expect(EventChannel channel, CmEventType type) {
        CmEvent event = channel.await(LONG);
        assertNotNull(event, "no event, expected " + type);
        assertEquals(type, event.type());
        return event;
    }

    @AfterEach
    void close() {
        fabric.faults(FaultPlan.none());
        client.close();
        server.close();
        listener.close();
        clientChannel.close();
        serverChannel.close();
    }

    private void expectTheEnd(CmSide side, EventChannel channel) {
        CmEvent event = expect(channel, CmEventType.DISCONNECTED);
        assertEquals(-Errno.ETIMEDOUT.number(), event.status());
        assertTrue(event.explain().contains("the peer does not answer"), event::explain);
        assertEquals(QueuePairState.ERR, side.qp.state());
        assertEquals(CompletionStatus.WORK_REQUEST_FLUSHED, side.await(1));
        expect(channel, CmEventType.TIMEWAIT_EXIT);
    }

    @Test
    void shouldEndOnBothSidesWhenThePeerVanishes() {
        connect(null);
        fabric.run(Duration.ofMinutes(1));
        fabric.faults(FaultPlan.none().withLoss(1));
        Duration vanished = fabric.elapsed();
        expectTheEnd(client, clientChannel);
        expectTheEnd(server, serverChannel);
        long seconds = fabric.elapsed().minus(vanished).toSeconds();
        assertTrue(seconds <= 15, seconds + " s");
    }

    @Test
    void shouldStayWhileThePeerLives() {
        connect(null);
        fabric.run(HOUR);
        assertNull(clientChannel.tryTake());
        assertNull(serverChannel.tryTake());
        assertEquals(QueuePairState.RTS, client.qp.state());
        post(client);
        fabric.run(Duration.ofMillis(1));
        assertEquals(CompletionStatus.SUCCESS, client.await(2));
        assertEquals(CompletionStatus.SUCCESS, server.await(1));
    }

    private static void post(CmSide side) {
        assertTrue(side.qp.post(
                side.qp.newSendRequest().wrId(2).send().from(side.buffer, 32, 4).signaled(true)));
    }

    @Test
    void shouldTellAPeerThatWasAwayThatTheConnectionIsOver() {
        connect(4);
        fabric.faults(
                clientHost.address(), serverHost.address(), FaultPlan.none().withLoss(1));
        expectTheEnd(server, serverChannel);
        expect(clientChannel, CmEventType.DISCONNECTED);
        assertEquals(QueuePairState.ERR, client.qp.state());
    }

    @Test
    void shouldWaitForEverWhenTurnedOff() {
        connect(0);
        fabric.faults(FaultPlan.none().withLoss(1));
        fabric.run(HOUR);
        assertNull(clientChannel.tryTake());
        assertNull(serverChannel.tryTake());
        assertEquals(QueuePairState.RTS, client.qp.state());
        assertEquals(0L, client.id.context().counters().getOrDefault(Counter.KEEP_ALIVES_SENT.label(), 0L));
    }

    @Test
    void shouldHearOfTheSilenceAlsoAfterARequestThatFailed() {
        connect(null);
        fabric.faults(FaultPlan.none().withLoss(1));
        post(client);
        expectTheEnd(client, clientChannel);
        assertEquals(CompletionStatus.RETRY_EXCEEDED, client.await(2));
    }
}
