package io.verbena.soft.qp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.roce.packet.Opcode;
import io.verbena.roce.packet.Psn;
import io.verbena.soft.rig.ConnectionEnd;
import io.verbena.soft.rig.SimulatedLocalPair;
import io.verbena.soft.rig.SimulatedPair;
import io.verbena.soft.status.ConnectionPath;
import io.verbena.soft.status.ConnectionStatus;
import io.verbena.verbs.attr.Gid;
import io.verbena.verbs.attr.Mtu;
import io.verbena.verbs.attr.QueuePairState;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/// What `verbena top` is told about a connection.
class QueuePairSampleTest {
    private static ConnectionStatus status(ConnectionEnd end) {
        return ((SoftQueuePair) end.qp).status(1, 2, 0);
    }

    @Test
    void shouldTellPeerPathAndQueues() {
        try (SimulatedPair pair = new SimulatedPair(1, 4096).connect(Mtu.MTU_256)) {
            pair.right.receive(1, 0, 100);
            pair.right.receive(2, 0, 100);
            pair.left.send(1, 0, 50);
            ConnectionStatus before = status(pair.left);
            assertEquals(1, before.outstanding());
            assertEquals(0, before.messagesSent());
            assertEquals(50, before.lastBytes());
            assertEquals(2, status(pair.right).postedReceives());
            pair.expect(pair.left, 1);
            ConnectionStatus left = status(pair.left);
            ConnectionStatus right = status(pair.right);
            assertEquals(QueuePairState.RTS, left.state());
            assertEquals(ConnectionPath.UDP, left.path());
            assertEquals(Gid.of(pair.right.address), left.peer());
            assertEquals(pair.right.qp.number(), left.peerNumber());
            assertEquals(0, left.outstanding());
            assertEquals(1, left.messagesSent());
            assertEquals(Psn.add(SimulatedPair.LEFT_PSN, 1), left.sendPsn());
            assertEquals(1, right.messagesReceived());
            assertEquals(1, right.postedReceives());
            assertEquals(0, left.retransmissions() + left.rnrReceived() + left.timeouts());
        }
    }

    @Test
    void shouldCountPacketsThatAreSentAgain() {
        try (SimulatedPair pair = new SimulatedPair(1, 4096).connect(Mtu.MTU_256)) {
            pair.right.receive(1, 0, 100);
            pair.left.tap.lose(1, Opcode.RC_SEND_ONLY);
            pair.left.send(1, 0, 50);
            pair.expect(pair.left, 1);
            assertEquals(1, status(pair.left).retransmissions());
            assertEquals(1, status(pair.left).timeouts());
        }
    }

    @Test
    void shouldTellThatThePeerHasNoReceive() {
        try (SimulatedPair pair =
                new SimulatedPair(1, 4096).sending(rts -> rts.rnrRetry(7)).connect(Mtu.MTU_256)) {
            pair.left.send(1, 0, 50);
            assertTrue(pair.fabric.runUntil(() -> status(pair.left).rnrReceived() == 3, Duration.ofSeconds(100)));
            assertEquals(3, status(pair.right).rnrSent());
            assertTrue(status(pair.left).waitsForReceiver());
            pair.right.receive(1, 0, 100);
            pair.expect(pair.left, 1);
            assertEquals(false, status(pair.left).waitsForReceiver());
        }
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void shouldTellTheSameOfTheLocalPath() {
        try (SimulatedLocalPair host =
                new SimulatedLocalPair(4096).sending(rts -> rts.rnrRetry(7)).connect()) {
            host.left.send(1, 0, 50);
            assertTrue(host.network.runUntil(() -> status(host.left).rnrReceived() == 3, 100_000_000_000L));
            ConnectionStatus waiting = status(host.left);
            assertEquals(ConnectionPath.SHARED_MEMORY, waiting.path());
            assertEquals(ConnectionStatus.NO_PSN, waiting.sendPsn());
            assertEquals(1, waiting.outstanding());
            assertTrue(waiting.waitsForReceiver());
            assertEquals(3, status(host.right).rnrSent());
            host.right.receive(1, 0, 100);
            host.expect(host.left, 1);
            assertEquals(1, status(host.left).messagesSent());
            assertEquals(1, status(host.right).messagesReceived());
            assertEquals(0, status(host.left).outstanding());
        }
    }

    @Test
    void shouldTellTheAgeSinceItWasConnected() {
        try (SimulatedPair pair = new SimulatedPair(1, 4096).connect(Mtu.MTU_256)) {
            SoftQueuePair qp = (SoftQueuePair) pair.left.qp;
            long since = qp.service().sinceNs();
            assertEquals(5, qp.status(0, 0, since + 5).ageNs());
            assertEquals(0, qp.status(0, 0, since - 5).ageNs(), "the reader's clock was read before");
        }
    }

    @Test
    void shouldTellNoPeerOfAQueuePairThatHasNone() {
        try (SimulatedPair pair = new SimulatedPair(1, 4096)) {
            ConnectionStatus status = status(pair.left);
            assertEquals(ConnectionPath.NONE, status.path());
            assertEquals(new Gid(0, 0), status.peer());
            assertEquals(0, status.lastBytes());
        }
    }
}
