package io.verbena.soft.qp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.roce.header.Feth;
import io.verbena.roce.packet.Opcode;
import io.verbena.soft.engine.Counter;
import io.verbena.soft.rig.RawPacket;
import io.verbena.soft.rig.ScriptedPeer;
import org.junit.jupiter.api.Test;

/// FLUSH with Linux's soft-RoCE, whose ICRC covers the headers twice.
class FlushIcrcTest {
    private final FlushIcrc icrc = new FlushIcrc();

    private static RawPacket flush(ScriptedPeer peer) {
        return peer.request(Opcode.RC_FLUSH, 0)
                .feth(Feth.GLOBAL_VISIBILITY, Feth.RANGE)
                .reth(peer.memory.address(), peer.memory.rkey(), 64);
    }

    @Test
    void shouldServeAFlushWhoseIcrcCountsTheHeadersTwice() {
        try (ScriptedPeer peer = new ScriptedPeer()) {
            peer.send(flush(peer).countedTwice());
            assertEquals(
                    Opcode.RC_RDMA_READ_RESPONSE_ONLY, peer.answers.getFirst().opcode());
            assertEquals(0, peer.count(Counter.DROPPED_BAD_ICRC));
        }
    }

    @Test
    void shouldDropAFlushThatIsDamagedEitherWay() {
        try (ScriptedPeer peer = new ScriptedPeer()) {
            peer.send(flush(peer).damagedIcrc(), flush(peer).countedTwice().damagedIcrc());
            assertTrue(peer.answers.isEmpty(), peer.answers::toString);
            assertEquals(2, peer.count(Counter.DROPPED_BAD_ICRC));
        }
    }

    @Test
    void shouldDropOtherRequestsWhoseIcrcCountsTwice() {
        try (ScriptedPeer peer = new ScriptedPeer()) {
            peer.send(peer.request(Opcode.RC_RDMA_READ_REQUEST, 0)
                    .reth(peer.memory.address(), peer.memory.rkey(), 64)
                    .countedTwice());
            assertTrue(peer.answers.isEmpty(), peer.answers::toString);
            assertEquals(1, peer.count(Counter.DROPPED_BAD_ICRC));
        }
    }

    @Test
    void shouldSendTheOtherWayEachTimeAFlushGoesUnanswered() {
        assertFalse(icrc.countsTwice(7));
        assertTrue(icrc.countsTwice(7));
        assertFalse(icrc.countsTwice(7));
    }

    @Test
    void shouldSendAllThatAreSentAgainTheSameWay() {
        assertFalse(icrc.countsTwice(0xFF_FFFF));
        assertFalse(icrc.countsTwice(0));
        assertTrue(icrc.countsTwice(0xFF_FFFF));
        assertTrue(icrc.countsTwice(0));
        assertTrue(icrc.countsTwice(1));
    }

    @Test
    void shouldStayWithWhatWasAnsweredAtOnce() {
        assertFalse(icrc.countsTwice(1));
        icrc.onAnswered(1);
        assertFalse(icrc.countsTwice(2));
        assertFalse(icrc.countsTwice(2), "lost, but the peer is known");
    }

    @Test
    void shouldNotTrustAnAnswerThatMayBelongToTheFirstAttempt() {
        assertFalse(icrc.countsTwice(1));
        assertTrue(icrc.countsTwice(1));
        icrc.onAnswered(1);
        assertTrue(icrc.countsTwice(2));
        assertFalse(icrc.countsTwice(2));
        icrc.onAnswered(2);
        assertFalse(icrc.countsTwice(3));
        icrc.onAnswered(3);
        assertFalse(icrc.countsTwice(3));
    }
}
