package io.verbena.conformance.connection;

import static org.junit.jupiter.api.Assertions.assertNull;

import io.verbena.conformance.Rule;
import io.verbena.conformance.bench.Deadline;
import io.verbena.verbs.cm.CmEventType;
import io.verbena.verbs.cm.ConnectionId;
import io.verbena.verbs.cm.ConnectionOption;
import io.verbena.verbs.cm.ConnectionParameters;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/// Connections without traffic.
public abstract class IdleConnectionContract extends CmContract {
    /// Longer on machines that are slower.
    private static final int LIVENESS_SECONDS =
            Math.toIntExact(Deadline.PATIENCE.dividedBy(10).toSeconds());

    /// A connection whose peer does not answer is over by then.
    private static final Duration LONGER = Duration.ofSeconds(2L * LIVENESS_SECONDS);

    protected IdleConnectionContract() {}

    private static void expectSilence(CmPeer client, CmPeer server) {
        assertNull(client.channel().await(LONGER));
        assertNull(server.channel().tryTake());
        client.expectNothing();
        server.expectNothing();
    }

    @Test
    @Rule("CM-31")
    void shouldOutlastSilence() {
        ConnectionId listener = listener(4);
        listener.option(ConnectionOption.LIVENESS, LIVENESS_SECONDS);
        CmPeer client = resolved(listener);
        client.id().option(ConnectionOption.LIVENESS, LIVENESS_SECONDS);
        client.withQueuePair();
        client.id().connect(ConnectionParameters.DEFAULT);
        CmPeer server = new CmPeer(right(), request(listener).id()).withQueuePair();
        server.receive(1, server.memory(64));
        server.receive(2, server.memory(64));
        client.receive(3, client.memory(64));
        server.id().accept(ConnectionParameters.DEFAULT);
        client.expect(CmEventType.ESTABLISHED);
        server.expect(CmEventType.ESTABLISHED);
        expectSilence(client, server);
        client.send(4, client.memory(64));
        client.sent(4);
        server.received(1);
        client.read(5, client.memory(64), server.memory(64));
        client.sent(5);
        expectSilence(client, server);
        client.send(6, client.memory(64));
        server.received(2);
        server.send(7, server.memory(64));
        client.received(3);
    }
}
