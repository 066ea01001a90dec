package io.verbena.conformance.connection;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;

import io.verbena.conformance.Rule;
import io.verbena.conformance.bench.BlockedCall;
import io.verbena.conformance.bench.Deadline;
import io.verbena.conformance.bench.RefusedCall;
import io.verbena.verbs.Errno;
import io.verbena.verbs.cm.CmEvent;
import io.verbena.verbs.cm.CmEventType;
import io.verbena.verbs.cm.ConnectionId;
import io.verbena.verbs.cm.ConnectionParameters;
import io.verbena.verbs.cm.EventChannel;
import io.verbena.verbs.cm.PortSpace;
import java.net.InetSocketAddress;
import org.junit.jupiter.api.Test;

/// Ids that move from one event channel to another.
public abstract class MigrateContract extends CmContract {
    protected MigrateContract() {}

    private EventChannel channelLeft() {
        return left().keep(leftCm().createEventChannel());
    }

    private EventChannel channelRight() {
        return right().keep(rightCm().createEventChannel());
    }

    @Test
    @Rule("CM-15")
    void shouldTakeWaitingEventsAlong() {
        EventChannel first = channelLeft();
        EventChannel second = channelLeft();
        ConnectionId id = left().keep(leftCm().createId(first, PortSpace.TCP));
        id.resolveAddress(anyPort(left()), new InetSocketAddress(right().address(), 7471), Deadline.PATIENCE);
        Deadline.await("the event waits", first::isReady);
        id.migrate(second);
        assertSame(second, id.channel());
        assertNull(first.tryTake());
        assertSame(id, CmPeer.next(second, CmEventType.ADDRESS_RESOLVED).id());
        id.resolveRoute(Deadline.PATIENCE);
        CmPeer.next(second, CmEventType.ROUTE_RESOLVED);
        assertNull(first.tryTake());
    }

    @Test
    @Rule("CM-15")
    void shouldFreeTheChannelItLeaves() {
        EventChannel first = channelLeft();
        EventChannel second = channelLeft();
        ConnectionId id = left().keep(leftCm().createId(first, PortSpace.TCP));
        id.migrate(second);
        first.close();
        RefusedCall.with(Errno.EBUSY, "the channel it moved to", second::close);
        id.migrate(second);
        assertSame(second, id.channel());
    }

    @Test
    @Rule("CM-15")
    void shouldWakeWhoWaitsOnTheNewChannel() {
        EventChannel second = channelRight();
        Attempt d = connected();
        d.client().id().disconnect();
        Deadline.await("the event waits", () -> d.server().channel().isReady());
        CmEvent[] taken = {null};
        BlockedCall waiter = BlockedCall.in("event await", () -> taken[0] = second.await(Deadline.PATIENCE));
        d.server().id().migrate(second);
        waiter.expectReturn();
        assertEquals(CmEventType.DISCONNECTED, taken[0].type());
        assertSame(d.server().id(), taken[0].id());
    }

    @Test
    @Rule({"CM-15", "CM-17"})
    void shouldMoveAListenerWithItsRequests() {
        EventChannel fresh = channelRight();
        ConnectionId listener = listener(4);
        EventChannel old = listener.channel();
        CmPeer client = resolved(listener).withQueuePair();
        client.id().connect(ConnectionParameters.DEFAULT);
        Deadline.await("the request waits", old::isReady);
        listener.migrate(fresh);
        assertNull(old.tryTake());
        CmEvent request = CmPeer.next(fresh, CmEventType.CONNECT_REQUEST);
        assertSame(listener, request.listener());
        assertSame(fresh, request.id().channel());
        CmPeer server = new CmPeer(right(), request.id()).withQueuePair();
        server.id().accept(ConnectionParameters.DEFAULT);
        client.expect(CmEventType.ESTABLISHED);
        server.expect(CmEventType.ESTABLISHED);
        old.close();
    }

    @Test
    @Rule("CM-15")
    void shouldMoveConnectedIdsOneByOne() {
        EventChannel fresh = channelRight();
        Attempt d = connected();
        d.server().id().migrate(fresh);
        d.client().id().disconnect();
        d.client().expect(CmEventType.DISCONNECTED);
        assertSame(d.server().id(), CmPeer.next(fresh, CmEventType.DISCONNECTED).id());
        assertNull(d.listener().channel().tryTake());
    }

    @Test
    @Rule("CM-15")
    void shouldRefuseSynchronousAndClosedIds() {
        ConnectionId synchronous = left().keep(leftCm().createSynchronousId(PortSpace.TCP));
        RefusedCall.with(Errno.EINVAL, "a synchronous id", () -> synchronous.migrate(channelLeft()));
        ConnectionId closed = leftCm().createId(channelLeft(), PortSpace.TCP);
        RefusedCall.with(Errno.EINVAL, "no channel", () -> closed.migrate(null));
        closed.close();
        RefusedCall.with(Errno.EBADF, "a closed id", () -> closed.migrate(channelLeft()));
    }
}
