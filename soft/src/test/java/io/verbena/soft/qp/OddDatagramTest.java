package io.verbena.soft.qp;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.verbena.roce.packet.Opcode;
import io.verbena.soft.engine.Counter;
import io.verbena.soft.rig.RawPacket;
import io.verbena.soft.rig.ScriptedPeer;
import io.verbena.verbs.QueuePair;
import io.verbena.verbs.QueuePairChange;
import io.verbena.verbs.QueuePairOptions;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Datagrams that no device would send.
class OddDatagramTest {
    private static final int QKEY = 0x1234_5678;

    private final ScriptedPeer peer = new ScriptedPeer();
    private QueuePair datagrams;

    @BeforeEach
    void makeQueuePair() {
        datagrams = peer.pd.createQueuePair(QueuePairOptions.ud(peer.cq));
        datagrams.modify(QueuePairChange.toInit(QKEY));
        datagrams.modify(QueuePairChange.toRtr());
        datagrams.post(datagrams.newReceiveRequest().wrId(1).into(peer.memory.region(), 0, 8192));
    }

    @AfterEach
    void close() {
        peer.close();
    }

    private RawPacket packet(Opcode opcode) {
        return new RawPacket(opcode, datagrams.number(), 5);
    }

    private RawPacket datagram() {
        return packet(Opcode.UD_SEND_ONLY).deth(QKEY, 0x77);
    }

    @Test
    void shouldReceiveFromAnybodyInReadyToReceive() {
        peer.sendFromStranger(datagram().payload(9));
        assertEquals(49, peer.completions.getFirst().byteLength());
        assertEquals(0x77, peer.completions.getFirst().sourceQp());
        peer.memory.assertGuardsUntouched();
    }

    @Test
    void shouldDropWrongPad() {
        peer.send(datagram().payload(8).pad(3), datagram().payload(9).pad(0));
        assertEquals(2, peer.count(Counter.DROPPED_BAD_LENGTH));
        peer.memory.assertUntouched();
    }

    @Test
    void shouldDropWhatIsLongerThanTheMtu() {
        peer.send(datagram().payload(4100));
        assertEquals(1, peer.count(Counter.DROPPED_BAD_LENGTH));
        peer.memory.assertUntouched();
    }

    @Test
    void shouldDropWhatIsCutShort() {
        peer.send(datagram().cut(1), datagram().cut(8), datagram().payload(8).cut(4));
        assertEquals(
                2,
                peer.count(Counter.DROPPED_TRUNCATED),
                () -> peer.context.counters().toString());
        assertEquals(
                1,
                peer.count(Counter.DROPPED_BAD_ICRC),
                () -> peer.context.counters().toString());
        peer.memory.assertUntouched();
    }

    @Test
    void shouldDropPacketsOfConnections() {
        peer.send(
                packet(Opcode.RC_SEND_ONLY).payload(8),
                packet(Opcode.UC_SEND_ONLY).payload(8));
        assertEquals(2, peer.count(Counter.DROPPED_WRONG_TRANSPORT));
        assertEquals(List.of(), peer.answers);
        peer.memory.assertUntouched();
    }

    @Test
    void shouldDropDatagramsToAConnection() {
        peer.send(datagram().destinationQp(peer.qp.number()).payload(8));
        peer.expectSilentDrop(Counter.DROPPED_WRONG_TRANSPORT);
    }
}
