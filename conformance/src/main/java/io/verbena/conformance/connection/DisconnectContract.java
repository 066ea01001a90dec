package io.verbena.conformance.connection;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;

import io.verbena.conformance.Rule;
import io.verbena.conformance.bench.Deadline;
import io.verbena.verbs.attr.QueuePairState;
import io.verbena.verbs.cm.CmEvent;
import io.verbena.verbs.cm.CmEventType;
import io.verbena.verbs.cm.ConnectionId;
import io.verbena.verbs.cm.ConnectionOption;
import io.verbena.verbs.cm.ConnectionParameters;
import io.verbena.verbs.cm.EventChannel;
import java.util.concurrent.CyclicBarrier;
import org.junit.jupiter.api.Test;

/// The end of connections.
public abstract class DisconnectContract extends CmContract {
    protected DisconnectContract() {}

    /// Fails when more than the end of the time to wait comes.
    private static void expectQuiet(EventChannel channel) {
        for (CmEvent event = channel.tryTake(); event != null; event = channel.tryTake()) {
            assertEquals(CmEventType.TIMEWAIT_EXIT, event.type(), "only this may follow DISCONNECTED");
        }
    }

    private void expectEnd(Attempt d) {
        assertEquals(0, d.client().expect(CmEventType.DISCONNECTED).status());
        assertEquals(0, d.server().expect(CmEventType.DISCONNECTED).status());
        d.client().awaitState(QueuePairState.ERR);
        d.client().id().disconnect(); // once more is no error
        d.server().id().disconnect(); // once more is no error
        d.server().awaitState(QueuePairState.ERR);
        expectQuiet(d.client().channel());
        expectQuiet(d.server().channel());
    }

    @Test
    @Rule("CM-10")
    void shouldTellBothSidesOnceWhenClientDisconnects() {
        Attempt d = connected();
        d.client().receive(1, d.client().memory(64));
        d.server().receive(2, d.server().memory(64));
        d.client().id().disconnect();
        expectEnd(d);
        d.client().flushed(1);
        d.server().flushed(2);
    }

    @Test
    @Rule("CM-10")
    void shouldTellBothSidesOnceWhenServerDisconnects() {
        Attempt d = connected();
        d.client().receive(1, d.client().memory(64));
        d.server().id().disconnect();
        expectEnd(d);
        d.client().flushed(1);
    }

    @Test
    @Rule("CM-10")
    void shouldTellBothSidesOnceWhenBothDisconnectAtOnce() {
        for (int round = 0; round < 5; round++) {
            Attempt d = connected();
            CyclicBarrier start = new CyclicBarrier(2);
            Thread other = Thread.ofPlatform().daemon().start(() -> {
                meet(start);
                d.server().id().disconnect(); // once more is no error
            });
            meet(start);
            d.client().id().disconnect(); // once more is no error
            Deadline.await("the other side's call ends", () -> !other.isAlive());
            expectEnd(d);
        }
    }

    private static void meet(CyclicBarrier barrier) {
        try {
            barrier.await();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    @Rule("CM-10")
    void shouldEndQueuePairOfTheCallerAtOnce() {
        Attempt d = connected();
        d.client().id().disconnect();
        assertEquals(QueuePairState.ERR, d.client().qp().query().state());
    }

    @Test
    @Rule({"CM-12", "CM-14"})
    void shouldTellPeerWhenIdIsClosedWhileConnected() {
        Attempt d = connected();
        d.client().qp().close();
        d.client().id().close();
        d.client().id().close();
        d.server().expect(CmEventType.DISCONNECTED);
        expectQuiet(d.server().channel());
    }

    @Test
    @Rule("CM-14")
    void shouldDropEventsOfAClosedId() {
        Attempt d = connected();
        EventChannel channel = d.client().channel();
        d.server().id().disconnect();
        d.server().expect(CmEventType.DISCONNECTED);
        d.client().qp().close();
        d.client().id().close();
        for (CmEvent event = channel.tryTake(); event != null; event = channel.tryTake()) {
            assertNotNull(event.id(), "an event names its id");
            assertEquals(null, event, "no event of a closed id");
        }
    }

    @Test
    @Rule("CM-13")
    void shouldTellWhenTheTimeToWaitIsOver() {
        ConnectionId listener = listener(4);
        CmPeer client = resolved(listener);
        client.id().option(ConnectionOption.ACK_TIMEOUT, 8);
        client.withQueuePair();
        client.id().connect(ConnectionParameters.DEFAULT);
        CmPeer server = new CmPeer(right(), request(listener).id()).withQueuePair();
        server.id().accept(ConnectionParameters.DEFAULT);
        client.expect(CmEventType.ESTABLISHED);
        server.expect(CmEventType.ESTABLISHED);
        client.id().disconnect();
        client.expect(CmEventType.DISCONNECTED);
        client.expect(CmEventType.TIMEWAIT_EXIT);
    }
}
