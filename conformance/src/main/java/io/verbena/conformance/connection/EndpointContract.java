package io.verbena.conformance.connection;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.conformance.Rule;
import io.verbena.conformance.bench.BlockedCall;
import io.verbena.conformance.bench.Deadline;
import io.verbena.conformance.bench.RefusedCall;
import io.verbena.verbs.Errno;
import io.verbena.verbs.RdmaException;
import io.verbena.verbs.attr.QueuePairAttributes;
import io.verbena.verbs.cm.CmEventType;
import io.verbena.verbs.cm.ConnectionId;
import io.verbena.verbs.cm.ConnectionOption;
import io.verbena.verbs.cm.ConnectionParameters;
import io.verbena.verbs.cm.EventChannel;
import io.verbena.verbs.cm.PortSpace;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import org.junit.jupiter.api.Test;

/// Ids made in one call, options that have an effect, ports that are shared, and ids closed at every stage.
public abstract class EndpointContract extends CmContract {
    private static final ConnectionParameters DEFAULT = ConnectionParameters.DEFAULT;

    protected EndpointContract() {}

    private ConnectionId newId(PortSpace space) {
        EventChannel channel = right().keep(rightCm().createEventChannel());
        return right().keep(rightCm().createId(channel, space));
    }

    @Test
    @Rule("CM-29")
    void shouldMakeBothEndsInOneCallEach() {
        ConnectionId listener =
                right().keep(rightCm().createEndpoint(PortSpace.TCP, anyPort(right()), null, Deadline.PATIENCE));
        listener.listen(4);
        InetSocketAddress there =
                new InetSocketAddress(right().address(), listener.localAddress().getPort());
        CmPeer client = new CmPeer(
                        left(), leftCm().createEndpoint(PortSpace.TCP, anyPort(left()), there, Deadline.PATIENCE))
                .withQueuePair();
        assertEquals(there, client.id().peerAddress());
        BlockedCall connect = BlockedCall.in("connect", () -> client.id().connect(DEFAULT));
        CmPeer server = new CmPeer(right(), listener.awaitRequest(Deadline.PATIENCE)).withQueuePair();
        server.id().accept(DEFAULT);
        connect.expectReturn();
    }

    @Test
    @Rule("CM-29")
    void shouldLeaveNothingOpenWhenAnEndCannotBeMade() {
        InetSocketAddress foreign = new InetSocketAddress(InetAddress.ofLiteral("203.0.113.7"), 0);
        assertThrows(
                RdmaException.class, () -> rightCm().createEndpoint(PortSpace.TCP, foreign, null, Deadline.PATIENCE));
    }

    @Test
    @Rule("CM-22")
    void shouldCarryTheTypeOfServiceToBothQueuePairs() {
        ConnectionId listener = listener(4);
        EventChannel channel = left().keep(leftCm().createEventChannel());
        CmPeer client = new CmPeer(left(), leftCm().createId(channel, PortSpace.TCP));
        client.id().option(ConnectionOption.TYPE_OF_SERVICE, 0x20);
        client.id()
                .resolveAddress(
                        anyPort(left()),
                        new InetSocketAddress(
                                right().address(), listener.localAddress().getPort()),
                        Deadline.PATIENCE);
        client.expect(CmEventType.ADDRESS_RESOLVED);
        client.id().resolveRoute(Deadline.PATIENCE);
        client.expect(CmEventType.ROUTE_RESOLVED);
        client.withQueuePair();
        client.id().connect(DEFAULT);
        CmPeer server = new CmPeer(right(), request(listener).id()).withQueuePair();
        server.id().accept(DEFAULT);
        client.expect(CmEventType.ESTABLISHED);
        assertEquals(0x20, client.qp().query().address().trafficClass());
        assertEquals(0x20, server.qp().query().address().trafficClass());
    }

    @Test
    @Rule("CM-22")
    void shouldGiveRequestsTheTimersOfTheirListener() {
        ConnectionId listener = listener(4);
        listener.option(ConnectionOption.ACK_TIMEOUT, 17);
        listener.option(ConnectionOption.MIN_RNR_TIMER, 3);
        Attempt d = requested(listener, DEFAULT);
        d.server().id().accept(DEFAULT);
        d.client().expect(CmEventType.ESTABLISHED);
        QueuePairAttributes far = d.server().qp().query();
        assertEquals(17, far.timeout());
        assertEquals(3, far.minRnrTimer());
        assertNotEquals(17, d.client().qp().query().timeout(), "the client has its own");
    }

    @Test
    @Rule("CM-30")
    void shouldUseShortTimersUnlessTold() {
        Attempt d = connected();
        for (CmPeer peer : new CmPeer[] {d.client(), d.server()}) {
            QueuePairAttributes attributes = peer.qp().query();
            assertEquals(16, attributes.timeout(), "268 ms");
            assertEquals(12, attributes.minRnrTimer(), "0.64 ms");
        }
    }

    @Test
    @Rule({"CM-20", "CM-22"})
    void shouldLetOneOfThoseThatShareAPortListen() {
        ConnectionId first = newId(PortSpace.TCP);
        ConnectionId second = newId(PortSpace.TCP);
        ConnectionId third = newId(PortSpace.TCP);
        first.option(ConnectionOption.REUSE_ADDRESS, 1);
        second.option(ConnectionOption.REUSE_ADDRESS, 1);
        first.bind(anyPort(right()));
        InetSocketAddress shared = first.localAddress();
        second.bind(shared);
        RefusedCall.with(Errno.EADDRINUSE, "without the option", () -> third.bind(shared));
        second.close();
        first.listen(1);
        ConnectionId fourth = newId(PortSpace.TCP);
        fourth.option(ConnectionOption.REUSE_ADDRESS, 1);
        RefusedCall.with(Errno.EADDRINUSE, "a second listener", () -> {
            fourth.bind(shared);
            fourth.listen(1);
        });
    }

    @Test
    @Rule("CM-20")
    void shouldKeepThePortsOfPortSpacesApart() {
        ConnectionId connections = newId(PortSpace.TCP);
        ConnectionId datagrams = newId(PortSpace.UDP);
        connections.bind(anyPort(right()));
        datagrams.bind(connections.localAddress());
        assertEquals(connections.localAddress(), datagrams.localAddress());
        connections.listen(1);
        datagrams.listen(1);
    }

    @Test
    @Rule("CM-20")
    void shouldRefuseAPortThatTheAnyAddressHas() {
        ConnectionId everywhere = newId(PortSpace.TCP);
        everywhere.bind(new InetSocketAddress(InetAddress.ofLiteral("::"), 0));
        int port = everywhere.localAddress().getPort();
        ConnectionId here = newId(PortSpace.TCP);
        var refused =
                assertThrows(RdmaException.class, () -> here.bind(new InetSocketAddress(right().address(), port)));
        assertTrue(
                refused.errno() == Errno.EADDRINUSE || refused.errno() == Errno.EADDRNOTAVAIL,
                () -> "a reason that fits: " + refused.getMessage());
    }

    @Test
    @Rule({"CM-14", "CM-25"})
    void shouldCloseIdsAtEveryStage() {
        ConnectionId idle = newId(PortSpace.TCP);
        idle.close();
        ConnectionId bound = newId(PortSpace.TCP);
        bound.bind(anyPort(right()));
        InetSocketAddress place = bound.localAddress();
        bound.close();
        ConnectionId again = newId(PortSpace.TCP);
        again.bind(place);
        again.close();
        ConnectionId listener = listener(4);
        resolved(listener).id().close();
        CmPeer asking = resolved(listener).withQueuePair();
        asking.id().connect(DEFAULT);
        CmPeer asked = new CmPeer(right(), request(listener).id()).withQueuePair();
        asked.id().accept(DEFAULT);
        asking.expect(CmEventType.ESTABLISHED);
        asked.expect(CmEventType.ESTABLISHED);
        asking.id().disconnect();
        asking.qp().close();
        asking.id().close();
        asked.expect(CmEventType.DISCONNECTED);
        asked.qp().close();
        asked.id().close();
        RefusedCall.with(Errno.EBADF, "a closed id", () -> asked.id().disconnect());
        RefusedCall.with(Errno.EBADF, "a closed id", () -> asking.id().connect(DEFAULT));
        RefusedCall.with(Errno.EBADF, "a closed id", () -> idle.bind(place));
    }
}
