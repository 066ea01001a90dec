package io.verbena.conformance.connection;

import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.conformance.Rule;
import io.verbena.conformance.bench.Deadline;
import io.verbena.conformance.bench.RefusedCall;
import io.verbena.verbs.CompletionQueue;
import io.verbena.verbs.Errno;
import io.verbena.verbs.MemoryRegion;
import io.verbena.verbs.QueuePair;
import io.verbena.verbs.QueuePairOptions;
import io.verbena.verbs.RdmaException;
import io.verbena.verbs.attr.QueuePairType;
import io.verbena.verbs.attr.SharedReceiveQueueOptions;
import io.verbena.verbs.cm.CmEventType;
import io.verbena.verbs.cm.ConnectionId;
import io.verbena.verbs.cm.ConnectionParameters;
import io.verbena.verbs.cm.PortSpace;
import org.junit.jupiter.api.Test;

/// Queue pairs whose ids make the completion queues.
public abstract class OwnQueuesContract extends CmContract {
    protected OwnQueuesContract() {}

    @Test
    @Rule("CM-32")
    void shouldMakeTheQueuesThatAreLeftOut() {
        ConnectionId listener = listener(4);
        CmPeer client = resolved(listener).withQueuesOfTheId();
        client.id().connect(ConnectionParameters.DEFAULT);
        CmPeer server = new CmPeer(right(), request(listener).id()).withQueuesOfTheId();
        MemoryRegion there = server.memory(64);
        server.receive(7, there);
        server.id().accept(ConnectionParameters.DEFAULT);
        client.expect(CmEventType.ESTABLISHED);
        server.expect(CmEventType.ESTABLISHED);
        CompletionQueue receives = server.qp().receiveCq();
        receives.arm();
        client.send(8, client.memory(64));
        client.sent(8);
        assertSame(receives, receives.channel().await(Deadline.PATIENCE), "its channel tells of the message");
        server.received(7);
        client.id().close();
        server.expect(CmEventType.DISCONNECTED);
        server.id().close();
        assertThrows(RdmaException.class, () -> receives.poll(c -> {}, 1), "closed with its id");
    }

    @Test
    @Rule("CM-32")
    void shouldGiveThemTheSizesOfTheQueuePair() {
        QueuePair qp = resolved(listener(4)).withQueuesOfTheId().qp();
        assertNotSame(qp.sendCq(), qp.receiveCq());
        assertNotSame(qp.sendCq().channel(), qp.receiveCq().channel());
        assertNotNull(qp.sendCq().channel());
        assertTrue(
                qp.sendCq().capacity() >= 40,
                () -> "room for all sends: " + qp.sendCq().capacity());
        assertTrue(
                qp.receiveCq().capacity() >= 50,
                () -> "room for all receives: " + qp.receiveCq().capacity());
    }

    @Test
    @Rule("CM-32")
    void shouldMakeOnlyTheOneThatIsLeftOut() {
        ConnectionId id = resolved(listener(4)).id();
        CompletionQueue own = left().keep(id.context().createCompletionQueue(16));
        QueuePair qp = id.createQueuePair(null, QueuePairOptions.of(QueuePairType.RC, own, null));
        assertSame(own, qp.sendCq());
        assertNotNull(qp.receiveCq().channel());
        id.close();
        own.poll(c -> {}, 1);
    }

    @Test
    @Rule("CM-32")
    void shouldMakeThemAnewForTheNextQueuePair() {
        CmPeer peer = resolved(listener(4)).withQueuesOfTheId();
        CompletionQueue first = peer.qp().sendCq();
        peer.qp().close();
        peer.withQueuesOfTheId();
        assertThrows(RdmaException.class, () -> first.poll(c -> {}, 1), "closed with the first queue pair");
        assertNotSame(first, peer.qp().sendCq());
    }

    @Test
    @Rule("CM-32")
    void shouldCloseAQueueThatAnotherQueuePairUsedWhenTheIdIsClosedAgain() {
        ConnectionId id = resolved(listener(4)).withQueuesOfTheId().id();
        CompletionQueue queue = id.queuePair().sendCq();
        QueuePair other = left().keep(id.protectionDomain().createQueuePair(QueuePairOptions.rc(queue)));
        RefusedCall.with(Errno.EBUSY, "another queue pair uses the queue", id::close);
        other.close();
        id.close();
        assertThrows(RdmaException.class, () -> queue.poll(c -> {}, 1), "closed at last");
    }

    @Test
    @Rule("CM-32")
    void shouldAskForQueuesWhereNoIdCanMakeThem() {
        ConnectionId id = resolved(listener(4)).id();
        RefusedCall.with(
                Errno.EINVAL,
                "no id",
                () -> id.protectionDomain().createQueuePair(QueuePairOptions.of(QueuePairType.RC, null, null)));
        var queue = left().keep(id.protectionDomain().createSharedReceiveQueue(SharedReceiveQueueOptions.of(16)));
        RefusedCall.with(
                Errno.EINVAL,
                "others post its receives",
                () -> id.createQueuePair(QueuePairOptions.rc().sharedReceiveQueue(queue)));
    }

    @Test
    @Rule("CM-32")
    void shouldMakeQueuesForDatagramsToo() {
        ConnectionId id = right().keep(rightCm().createSynchronousId(PortSpace.UDP));
        id.bind(anyPort(right()));
        assertNotNull(id.createQueuePair(QueuePairOptions.ud()).sendCq().channel());
    }
}
