package io.verbena.conformance.connection;

import io.verbena.conformance.Contract;
import io.verbena.conformance.bench.Deadline;
import io.verbena.conformance.bench.TestDevice;
import io.verbena.verbs.cm.CmEvent;
import io.verbena.verbs.cm.CmEventType;
import io.verbena.verbs.cm.ConnectionId;
import io.verbena.verbs.cm.ConnectionManager;
import io.verbena.verbs.cm.ConnectionParameters;
import io.verbena.verbs.cm.EventChannel;
import io.verbena.verbs.cm.PortSpace;
import java.net.InetAddress;
import java.net.InetSocketAddress;

/// The base of the contracts on connections: a listener on the right, clients on the left.
public abstract class CmContract extends Contract {
    protected CmContract() {}

    /// A connection, perhaps not yet established, and its listener.
    record Attempt(CmPeer client, CmPeer server, ConnectionId listener) {}

    final ConnectionManager leftCm() {
        return devices().pairing().leftConnections();
    }

    final ConnectionManager rightCm() {
        return devices().pairing().rightConnections();
    }

    static InetSocketAddress anyPort(TestDevice side) {
        return new InetSocketAddress(side.address(), 0);
    }

    /// A listener with a channel of its own, on a free port of the right side.
    final ConnectionId listener(int backlog) {
        return listener(backlog, PortSpace.TCP);
    }

    final ConnectionId listener(int backlog, PortSpace space) {
        EventChannel channel = right().keep(rightCm().createEventChannel());
        ConnectionId listener = right().keep(rightCm().createId(channel, space));
        listener.bind(anyPort(right()));
        listener.listen(backlog);
        return listener;
    }

    /// An id on the left with a channel of its own and a route to that address.
    final CmPeer resolved(InetAddress address, int port) {
        return resolved(address, port, PortSpace.TCP);
    }

    final CmPeer resolved(InetAddress address, int port, PortSpace space) {
        EventChannel channel = left().keep(leftCm().createEventChannel());
        CmPeer client = new CmPeer(left(), leftCm().createId(channel, space));
        client.id().resolveAddress(anyPort(left()), new InetSocketAddress(address, port), Deadline.PATIENCE);
        client.expect(CmEventType.ADDRESS_RESOLVED);
        client.id().resolveRoute(Deadline.PATIENCE);
        client.expect(CmEventType.ROUTE_RESOLVED);
        return client;
    }

    final CmPeer resolved(ConnectionId listener) {
        return resolved(right().address(), listener.localAddress().getPort(), listener.portSpace());
    }

    /// The next request that the listener gets.
    final CmEvent request(ConnectionId listener) {
        return CmPeer.next(listener.channel(), CmEventType.CONNECT_REQUEST);
    }

    /// Both ids with queue pairs, the request sent and taken, not yet answered.
    final Attempt requested(ConnectionId listener, ConnectionParameters parameters) {
        CmPeer client = resolved(listener).withQueuePair();
        client.id().connect(parameters);
        CmPeer server = new CmPeer(right(), request(listener).id()).withQueuePair();
        return new Attempt(client, server, listener);
    }

    /// A connection, ESTABLISHED on both sides.
    final Attempt connected(ConnectionParameters asked, ConnectionParameters answered) {
        Attempt dialogue = requested(listener(8), asked);
        dialogue.server().id().accept(answered);
        dialogue.client().expect(CmEventType.ESTABLISHED);
        dialogue.server().expect(CmEventType.ESTABLISHED);
        return dialogue;
    }

    final Attempt connected() {
        return connected(ConnectionParameters.DEFAULT, ConnectionParameters.DEFAULT);
    }
}
