package io.verbena.soft.cm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.roce.dump.GidText;
import io.verbena.soft.rig.RecordedEvents;
import io.verbena.verbs.Errno;
import io.verbena.verbs.attr.Gid;
import java.time.Duration;
import java.util.List;
import jdk.jfr.consumer.RecordedEvent;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// What the connection manager tells the flight recorder.
class ConnectionEventsTest {
    private final RecordedEvents recorded = new RecordedEvents("Connect", "Disconnect", "ConnectFailure", "Refusal");
    private final CmPair pair = new CmPair();

    @AfterEach
    void close() {
        recorded.close();
    }

    private static String text(SimulatedCmNetwork.Node node) {
        Gid gid = node.facts().gid();
        return GidText.of(gid.high(), gid.low());
    }

    private List<RecordedEvent> of(String name, SimulatedCmNetwork.Node node) {
        return recorded.of(name).stream()
                .filter(event -> event.getString("device").equals(text(node)))
                .toList();
    }

    @Test
    void shouldTellBothSidesOfAConnection() {
        pair.establish();

        RecordedEvent client = of("Connect", pair.clientNode).getFirst();
        assertEquals(text(pair.serverNode), client.getString("peer"));
        assertEquals("0x" + Integer.toHexString(pair.client.qpNumber), client.getString("queuePair"));
        assertEquals("0x" + Integer.toHexString(pair.server().qpNumber), client.getString("peerQueuePair"));
        assertFalse(client.getBoolean("accepted"));
        Duration opening = client.getDuration("openingTime");
        assertTrue(opening.isPositive() && opening.toMillis() <= 2, opening::toString);
        assertTrue(of("Connect", pair.serverNode).getFirst().getBoolean("accepted"));
    }

    @Test
    void shouldTellWhoDisconnectedAndHowLongTheConnectionLived() {
        pair.establish();
        pair.runMs(100);
        pair.client.connection.disconnect(RecordingHandler.TIMEOUT_NS);
        pair.runMs(1);

        RecordedEvent client = of("Disconnect", pair.clientNode).getFirst();
        assertTrue(client.getBoolean("byThisSide"));
        assertTrue(client.getBoolean("orderly"));
        assertEquals("", client.getString("reason"));
        assertTrue(client.getDuration("age").toMillis() >= 100, client::toString);
        assertFalse(of("Disconnect", pair.serverNode).getFirst().getBoolean("byThisSide"));
    }

    @Test
    void shouldTellThatAPeerIsGone() {
        pair.establish();
        pair.client.connection.onPeerGone(Errno.ECONNRESET);

        RecordedEvent client = of("Disconnect", pair.clientNode).getFirst();
        assertFalse(client.getBoolean("orderly"));
        assertEquals("the peer is gone; its process ended without closing the connection", client.getString("reason"));
    }

    @Test
    void shouldTellBothSidesThatNobodyListens() {
        pair.serverNode.agent.stopListening(RecordingHandler.SERVICE, pair.listener);
        pair.client.connect(pair.clientNode, pair.serverNode);
        pair.runMs(1);

        RecordedEvent failure = of("ConnectFailure", pair.clientNode).getFirst();
        assertEquals(text(pair.serverNode), failure.getString("peer"));
        assertTrue(failure.getString("reason").contains("nobody listens"), failure::toString);
        RecordedEvent refusal = of("Refusal", pair.serverNode).getFirst();
        assertEquals("refused", refusal.getString("decision"));
        assertEquals("INVALID_SERVICE_ID", refusal.getString("reason"));
        assertEquals(text(pair.clientNode), refusal.getString("peer"));
    }

    @Test
    void shouldTellThatARequestWasDroppedBecauseTheBacklogIsFull() {
        pair.listener.room = 0;
        pair.client.connect(pair.clientNode, pair.serverNode);
        pair.runMs(1);

        RecordedEvent refusal = of("Refusal", pair.serverNode).getFirst();
        assertEquals("dropped", refusal.getString("decision"));
        assertEquals("the listener's backlog is full", refusal.getString("reason"));
    }
}
