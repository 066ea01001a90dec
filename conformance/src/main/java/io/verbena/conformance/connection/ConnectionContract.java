package io.verbena.conformance.connection;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.conformance.Rule;
import io.verbena.conformance.bench.Bytes;
import io.verbena.conformance.bench.Deadline;
import io.verbena.conformance.bench.RefusedCall;
import io.verbena.verbs.CompletionChannel;
import io.verbena.verbs.Errno;
import io.verbena.verbs.MemoryRegion;
import io.verbena.verbs.Poller;
import io.verbena.verbs.RdmaException;
import io.verbena.verbs.attr.QueuePairState;
import io.verbena.verbs.cm.CmEvent;
import io.verbena.verbs.cm.CmEventType;
import io.verbena.verbs.cm.ConnectionId;
import io.verbena.verbs.cm.ConnectionParameters;
import io.verbena.verbs.cm.PortSpace;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Making connections, and refusing to.
public abstract class ConnectionContract extends CmContract {
    protected ConnectionContract() {}

    @Test
    @Rule({"CM-7", "CM-25"})
    void shouldConnectAndExchangeMessages() {
        Attempt d = requested(listener(4), ConnectionParameters.DEFAULT);
        assertEquals(QueuePairState.INIT, d.client().qp().query().state());
        assertEquals(QueuePairState.INIT, d.server().qp().query().state());
        MemoryRegion near = d.client().memory(3000);
        MemoryRegion far = d.server().memory(3000);
        MemoryRegion back = d.client().memory(3000);
        byte[] pattern = Bytes.pattern(1, 3000);
        Bytes.put(near, 0, pattern);
        d.client().receive(1, back); // before the connection is made
        d.server().receive(2, far);
        d.server().id().accept(ConnectionParameters.DEFAULT);
        d.client().expect(CmEventType.ESTABLISHED);
        d.server().expect(CmEventType.ESTABLISHED);
        assertEquals(QueuePairState.RTS, d.client().qp().query().state());
        assertEquals(QueuePairState.RTS, d.server().qp().query().state());
        d.client().send(3, near);
        d.client().sent(3);
        d.server().received(2);
        Bytes.assertAt(far, 0, pattern);
        d.server().send(4, far);
        d.server().sent(4);
        d.client().received(1);
        Bytes.assertAt(back, 0, pattern);
    }

    @Test
    @Rule({"CM-21"})
    void shouldReceiveDataBeforeTheServerTakesItsEvent() {
        Attempt d = requested(listener(4), ConnectionParameters.DEFAULT);
        MemoryRegion near = d.client().memory(64);
        MemoryRegion far = d.server().memory(64);
        d.server().receive(1, far);
        d.server().id().accept(ConnectionParameters.DEFAULT);
        d.client().expect(CmEventType.ESTABLISHED);
        d.client().send(2, near);
        d.client().sent(2);
        d.server().received(1);
        d.server().expect(CmEventType.ESTABLISHED);
    }

    @Test
    @Rule("CM-25")
    void shouldKnowAddressesOnBothSides() {
        Attempt d = connected();
        int port = d.listener().localAddress().getPort();
        assertEquals(right().address(), d.client().id().peerAddress().getAddress());
        assertEquals(port, d.client().id().peerAddress().getPort());
        assertEquals(left().address(), d.client().id().localAddress().getAddress());
        assertEquals(right().address(), d.server().id().localAddress().getAddress());
        assertEquals(port, d.server().id().localAddress().getPort());
        assertEquals(d.client().id().localAddress(), d.server().id().peerAddress());
        assertEquals(PortSpace.TCP, d.server().id().portSpace());
    }

    @Test
    @Rule("CM-17")
    void shouldHandListenersChannelAndAttachmentToNewIds() {
        ConnectionId listener = listener(4);
        listener.attachment("a server");
        CmPeer client = resolved(listener).withQueuePair();
        client.id().connect(ConnectionParameters.DEFAULT);
        CmEvent event = request(listener);
        CmPeer server = new CmPeer(right(), event.id());
        assertSame(listener, event.listener());
        assertSame(listener.channel(), server.id().channel());
        assertEquals("a server", server.id().attachment());
        assertNull(server.id().queuePair());
        server.id().attachment("a connection");
        assertEquals("a server", listener.attachment());
        server.id().reject(new byte[0]);
        client.expect(CmEventType.REJECTED);
    }

    @Test
    @Rule("CM-8")
    void shouldTellClientWhenServerRejects() {
        ConnectionId listener = listener(4);
        CmPeer client = resolved(listener).withQueuePair();
        client.receive(1, client.memory(64));
        client.id().connect(ConnectionParameters.DEFAULT);
        CmPeer server = new CmPeer(right(), request(listener).id());
        byte[] reason = Bytes.pattern(2, 148);
        server.id().reject(reason);
        CmEvent event = client.expect(CmEventType.REJECTED);
        assertEquals(28, event.status());
        assertArrayEquals(reason, event.privateData());
        client.awaitState(QueuePairState.ERR);
        client.flushed(1);
    }

    @Test
    @Rule("CM-8")
    void shouldRejectWhenNobodyListens() {
        ConnectionId listener = listener(4);
        int port = listener.localAddress().getPort();
        ConnectionId keepsDeviceAlive = listener(4);
        assertNotNull(keepsDeviceAlive);
        listener.close();
        CmPeer client = resolved(right().address(), port).withQueuePair();
        client.id().connect(ConnectionParameters.DEFAULT);
        assertEquals(8, client.expect(CmEventType.REJECTED).status());
        client.awaitState(QueuePairState.ERR);
    }

    @Test
    @Rule("CM-14")
    void shouldRejectWhenServerClosesTheRequest() {
        ConnectionId listener = listener(4);
        CmPeer client = resolved(listener).withQueuePair();
        client.id().connect(ConnectionParameters.DEFAULT);
        request(listener).id().close();
        client.expect(CmEventType.REJECTED);
    }

    @Test
    @Rule("CM-9")
    void shouldServeManyClientsOfOneListener() {
        ConnectionId listener = listener(32);
        List<CmPeer> clients = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            CmPeer client = resolved(listener).withQueuePair();
            client.id().connect(ConnectionParameters.DEFAULT.withPrivateData(new byte[] {(byte) i}));
            clients.add(client);
        }
        CmPeer[] servers = new CmPeer[10];
        List<CmEvent> established = new ArrayList<>();
        for (int requests = 0; requests < 10; ) {
            CmEvent event = listener.channel().await(Deadline.PATIENCE);
            assertNotNull(event, "a request");
            if (event.type() == CmEventType.CONNECT_REQUEST) {
                CmPeer server = new CmPeer(right(), event.id()).withQueuePair();
                servers[event.privateData()[0]] = server;
                server.receive(event.privateData()[0], server.memory(64));
                server.id().accept(ConnectionParameters.DEFAULT);
                requests++;
            } else {
                assertEquals(CmEventType.ESTABLISHED, event.type());
                established.add(event);
            }
        }
        for (int i = 0; i < 10; i++) {
            clients.get(i).expect(CmEventType.ESTABLISHED);
            clients.get(i).send(100 + i, clients.get(i).memory(64));
            clients.get(i).sent(100 + i);
            servers[i].received(i);
        }
        while (established.size() < 10) {
            established.add(CmPeer.next(listener.channel(), CmEventType.ESTABLISHED));
        }
        assertEquals(10, established.stream().map(CmEvent::id).distinct().count(), "one event for each connection");
    }

    @Test
    @Rule("CM-25")
    void shouldConnectAgainAfterDisconnecting() {
        ConnectionId listener = listener(4);
        for (int round = 0; round < 5; round++) {
            Attempt d = requested(listener, ConnectionParameters.DEFAULT);
            d.server().id().accept(ConnectionParameters.DEFAULT);
            d.client().expect(CmEventType.ESTABLISHED);
            d.server().expect(CmEventType.ESTABLISHED);
            d.client().id().disconnect();
            d.client().expect(CmEventType.DISCONNECTED);
            d.server().expect(CmEventType.DISCONNECTED);
            d.server().qp().close();
            d.server().id().close();
        }
    }

    @Test
    @Rule({"EV-8", "CM-25"})
    void shouldWaitForConnectionsAndCompletionsTogether() {
        ConnectionId listener = listener(4);
        CmPeer client = resolved(listener).withQueuePair();
        client.id().connect(ConnectionParameters.DEFAULT);
        CmEvent event = request(listener);
        CompletionChannel completions = right().keep(event.id().context().createCompletionChannel());
        CmPeer server = new CmPeer(right(), event.id()).withQueuePair(completions);
        server.receive(1, server.memory(64));
        server.receiveCq().arm();
        server.id().accept(ConnectionParameters.DEFAULT);
        client.expect(CmEventType.ESTABLISHED);
        try (Poller poller = Poller.of(server.channel(), completions)) {
            assertTrue(poller.await(Deadline.PATIENCE) >= 1);
            server.expect(CmEventType.ESTABLISHED);
            client.send(2, client.memory(64));
            assertTrue(poller.await(Deadline.PATIENCE) >= 1);
            assertSame(server.receiveCq(), completions.await(Deadline.PATIENCE));
            server.received(1);
            client.id().disconnect();
            assertTrue(poller.await(Deadline.PATIENCE) >= 1);
            server.expect(CmEventType.DISCONNECTED);
        }
    }

    @Test
    @Rule({"CM-6", "CM-25"})
    void shouldCarryWritesAndReadsOverAConnection() {
        Attempt d = connected();
        MemoryRegion near = d.client().memory(20_000);
        MemoryRegion far = d.server().memory(10_000);
        byte[] pattern = Bytes.pattern(5, 10_000);
        Bytes.put(near, 0, pattern);
        var qp = d.client().qp();
        assertTrue(qp.post(qp.newSendRequest()
                .wrId(1)
                .write(far.remote())
                .from(near, 0, 10_000)
                .signaled()));
        assertTrue(qp.post(qp.newSendRequest()
                .wrId(2)
                .read(far.remote())
                .into(near, 10_000, 10_000)
                .signaled()));
        d.client().sent(1);
        d.client().sent(2);
        Bytes.assertAt(far, 0, pattern);
        Bytes.assertAt(near, 10_000, pattern);
    }

    @Test
    @Rule({"CM-10", "CM-14", "CM-25"})
    void shouldSurviveConnectionsThatAreClosedAtAnyMoment() {
        ConnectionId listener = listener(32);
        var random = random();
        for (int round = 0; round < 20; round++) {
            CmPeer client = resolved(listener).withQueuePair();
            client.id().connect(ConnectionParameters.DEFAULT);
            if (random.nextBoolean()) {
                CmEvent event = listener.channel().await(Deadline.PATIENCE);
                if (event != null && event.type() == CmEventType.CONNECT_REQUEST) {
                    CmPeer server = new CmPeer(right(), event.id());
                    if (random.nextBoolean()) {
                        acceptUnlessGone(server.withQueuePair());
                    }
                }
            }
            client.qp().close();
            client.id().close();
        }
        // The listener works on.
        CmPeer client = resolved(listener).withQueuePair();
        client.id().connect(ConnectionParameters.DEFAULT.withPrivateData(new byte[] {77}));
        CmPeer server = null;
        while (server == null) {
            CmEvent event = listener.channel().await(Deadline.PATIENCE);
            assertNotNull(event, "the last request");
            if (event.type() == CmEventType.CONNECT_REQUEST) {
                CmPeer next = new CmPeer(right(), event.id());
                server = event.privateData()[0] == 77 ? next : null;
            }
        }
        server.withQueuePair();
        server.id().accept(ConnectionParameters.DEFAULT);
        client.expect(CmEventType.ESTABLISHED);
    }

    private static void acceptUnlessGone(CmPeer server) {
        try {
            server.id().accept(ConnectionParameters.DEFAULT);
        } catch (RdmaException gone) {
            assertNotEquals(Errno.NONE, gone.errno());
        }
    }

    @Test
    @Rule("CM-25")
    void shouldRefuseCallsOutOfOrder() {
        var channel = left().keep(leftCm().createEventChannel());
        ConnectionId id = left().keep(leftCm().createId(channel, PortSpace.TCP));
        assertNull(id.localAddress());
        assertNull(id.context());
        RefusedCall.with(Errno.EINVAL, "connect first", () -> id.connect(ConnectionParameters.DEFAULT));
        RefusedCall.with(Errno.EINVAL, "route before address", () -> id.resolveRoute(Deadline.PATIENCE));
        RefusedCall.with(Errno.EINVAL, "accept without request", () -> id.accept(ConnectionParameters.DEFAULT));
        RefusedCall.with(Errno.EINVAL, "reject without request", () -> id.reject(new byte[0]));
        RefusedCall.with(Errno.EINVAL, "disconnect without connection", id::disconnect);
        id.resolveAddress(null, new InetSocketAddress(right().address(), 7471), Deadline.PATIENCE);
        CmPeer.next(channel, CmEventType.ADDRESS_RESOLVED);
        RefusedCall.with(Errno.EINVAL, "connect before route", () -> id.connect(ConnectionParameters.DEFAULT));
        assertNotNull(id.context());
    }
}
