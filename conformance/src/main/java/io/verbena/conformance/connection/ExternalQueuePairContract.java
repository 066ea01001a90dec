package io.verbena.conformance.connection;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.conformance.Rule;
import io.verbena.conformance.bench.Bytes;
import io.verbena.conformance.bench.RefusedCall;
import io.verbena.verbs.Errno;
import io.verbena.verbs.MemoryRegion;
import io.verbena.verbs.attr.Access;
import io.verbena.verbs.attr.QueuePairState;
import io.verbena.verbs.cm.CmEvent;
import io.verbena.verbs.cm.CmEventType;
import io.verbena.verbs.cm.ConnectionId;
import io.verbena.verbs.cm.ConnectionParameters;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/// Queue pairs that the program makes and moves itself, and whose numbers the connection manager carries.
public abstract class ExternalQueuePairContract extends CmContract {
    private static final ConnectionParameters DEFAULT = ConnectionParameters.DEFAULT;

    protected ExternalQueuePairContract() {}

    private static ConnectionParameters with(CmPeer peer) {
        return DEFAULT.withQpNumber(peer.qp().number());
    }

    private static void ready(CmPeer peer) {
        peer.step(QueuePairState.INIT);
        peer.step(QueuePairState.RTR);
        peer.step(QueuePairState.RTS);
    }

    /// The client's request is with the server; both have queue pairs of their own in INIT.
    private Attempt asked() {
        ConnectionId listener = listener(4);
        CmPeer client = resolved(listener).withOwnQueuePair();
        client.step(QueuePairState.INIT);
        client.id().connect(with(client));
        CmPeer server = new CmPeer(right(), request(listener).id()).withOwnQueuePair();
        return new Attempt(client, server, listener);
    }

    private Attempt answered() {
        Attempt d = asked();
        ready(d.server());
        d.server().id().accept(with(d.server()));
        d.client().expect(CmEventType.CONNECT_RESPONSE);
        return d;
    }

    private Attempt established() {
        Attempt d = answered();
        ready(d.client());
        d.client().id().establish();
        d.server().expect(CmEventType.ESTABLISHED);
        return d;
    }

    @Test
    @Rule("CM-28")
    void shouldConnectQueuePairsThatTheProgramMoves() {
        ConnectionId listener = listener(4);
        CmPeer client = resolved(listener).withOwnQueuePair();
        assertNull(client.id().queuePair());
        client.step(QueuePairState.INIT);
        client.id().connect(with(client).withPrivateData(new byte[] {1, 2}).withReads(3, 2));
        CmEvent request = request(listener);
        assertEquals(client.qp().number(), request.parameters().qpNumber());
        CmPeer server = new CmPeer(right(), request.id()).withOwnQueuePair();
        ready(server);
        MemoryRegion far = server.memory(64);
        server.receive(1, far);
        server.id().accept(with(server).withPrivateData(new byte[] {3, 4}).withReads(2, 1));
        CmEvent response = client.expect(CmEventType.CONNECT_RESPONSE);
        assertEquals(server.qp().number(), response.parameters().qpNumber());
        assertArrayEquals(Arrays.copyOf(new byte[] {3, 4}, 196), response.privateData());
        ready(client);
        client.id().establish();
        server.expect(CmEventType.ESTABLISHED);
        assertEquals(2, client.qp().query().maxReadAtomic());
        MemoryRegion near = client.memory(64);
        byte[] pattern = Bytes.pattern(3, 64);
        Bytes.put(near, 0, pattern);
        client.send(2, near);
        client.sent(2);
        server.received(1);
        Bytes.assertAt(far, 0, pattern);
        client.read(3, near, far);
        client.sent(3);
    }

    @Test
    @Rule("CM-28")
    void shouldGiveTheAttributesOfEachStepOnlyWhenTheyAreKnown() {
        ConnectionId listener = listener(4);
        CmPeer client = resolved(listener).withOwnQueuePair();
        RefusedCall.with(Errno.EINVAL, "RTR before connect", () -> client.id().queuePairStep(QueuePairState.RTR));
        RefusedCall.with(Errno.EINVAL, "ERR", () -> client.id().queuePairStep(QueuePairState.ERR));
        client.step(QueuePairState.INIT);
        client.id().connect(with(client).withReads(1, 1));
        CmPeer server = new CmPeer(right(), request(listener).id()).withOwnQueuePair();
        var rtr = server.id().queuePairStep(QueuePairState.RTR);
        assertEquals(client.qp().number(), rtr.destinationQp());
        assertTrue(Access.REMOTE_WRITE.in(rtr.accessBits()), "the peer may write");
        assertTrue(Access.REMOTE_READ.in(rtr.accessBits()), "the peer asked for reads");
        server.id().reject(new byte[0]);
        client.expect(CmEventType.REJECTED);
    }

    @Test
    @Rule("CM-28")
    void shouldLeaveQueuePairsOfTheProgramAloneWhenDisconnecting() {
        Attempt d = established();
        d.client().id().disconnect();
        d.client().expect(CmEventType.DISCONNECTED);
        d.server().expect(CmEventType.DISCONNECTED);
        assertEquals(QueuePairState.RTS, d.client().qp().query().state());
        assertEquals(QueuePairState.RTS, d.server().qp().query().state());
    }

    @Test
    @Rule("CM-28")
    void shouldEstablishOnceAndOnlyAfterTheResponse() {
        Attempt d = asked();
        RefusedCall.with(
                Errno.EINVAL, "before the response", () -> d.client().id().establish());
        ready(d.server());
        d.server().id().accept(with(d.server()));
        d.client().expect(CmEventType.CONNECT_RESPONSE);
        ready(d.client());
        d.client().id().establish();
        d.server().expect(CmEventType.ESTABLISHED);
        RefusedCall.with(Errno.EINVAL, "a second time", () -> d.client().id().establish());
    }

    @Test
    @Rule("CM-28")
    void shouldRefuseToEstablishWhatTheIdMovesItself() {
        Attempt d = connected();
        RefusedCall.with(
                Errno.EINVAL,
                "a queue pair of the id's own",
                () -> d.client().id().establish());
    }

    @Test
    @Rule({"CM-28", "CM-14"})
    void shouldTellTheServerWhenTheClientClosesInsteadOfEstablishing() {
        Attempt d = answered();
        d.client().id().close();
        assertEquals(28, d.server().expect(CmEventType.REJECTED).status());
    }

    @Test
    @Rule({"CM-28", "CM-21"})
    void shouldTakeTheFirstDataForTheConfirmation() {
        Attempt d = answered();
        MemoryRegion far = d.server().memory(64);
        d.server().receive(1, far);
        ready(d.client());
        d.client().send(2, d.client().memory(64));
        d.client().sent(2);
        d.server().received(1);
        d.server().id().notifyEstablished();
        d.server().expect(CmEventType.ESTABLISHED);
        d.client().id().establish();
        d.server().id().disconnect();
        d.client().expect(CmEventType.DISCONNECTED);
    }

    @Test
    @Rule("CM-28")
    void shouldRefuseToConnectWithoutAnyQueuePair() {
        CmPeer client = resolved(listener(4));
        RefusedCall.with(Errno.EINVAL, "no queue pair", () -> client.id().connect(DEFAULT));
    }
}
