package io.verbena.soft.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.verbena.roce.packet.Opcode;
import io.verbena.roce.packet.Syndrome;
import io.verbena.soft.rig.RawPacket;
import io.verbena.soft.rig.ScriptedPeer;
import io.verbena.verbs.QueuePairChange;
import io.verbena.verbs.attr.QueuePairState;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Packets that fail a check are dropped without an answer, and each kind has a counter.
class PacketDispatcherTest {
    private final ScriptedPeer peer = new ScriptedPeer();

    @AfterEach
    void close() {
        peer.close();
    }

    /// A WRITE that would be executed if nothing were wrong with it.
    private RawPacket write() {
        return peer.request(Opcode.RC_RDMA_WRITE_ONLY, 0)
                .reth(peer.memory.address(), peer.memory.rkey(), 8)
                .payload(8)
                .ackRequested();
    }

    private void expectThatTheRightPacketIsStillTaken() {
        peer.send(write());
        assertEquals(1, peer.answers.size());
        assertEquals(Syndrome.ACK, peer.answers.getFirst().syndrome());
        assertEquals(0x77, peer.memory.bytes(0, 1)[0]);
    }

    @Test
    void shouldDropABadIcrc() {
        peer.send(write().damagedIcrc());
        peer.expectSilentDrop(Counter.DROPPED_BAD_ICRC);
        expectThatTheRightPacketIsStillTaken();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 7, 15})
    void shouldDropAnotherTransportVersion(int version) {
        peer.send(write().version(version));
        peer.expectSilentDrop(Counter.DROPPED_BAD_VERSION);
        expectThatTheRightPacketIsStillTaken();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 0x7FFE, 0xFFFE, 0x8000})
    void shouldDropAnotherPartition(int key) {
        peer.send(write().partition(key));
        peer.expectSilentDrop(Counter.DROPPED_BAD_PARTITION);
    }

    @Test
    void shouldTakeALimitedMemberOfTheDefaultPartition() {
        peer.send(write().partition(0x7FFF));
        assertEquals(Syndrome.ACK, peer.answers.getFirst().syndrome());
    }

    @ParameterizedTest
    @ValueSource(ints = {1, -1, 64, -64, 0x80_0000})
    void shouldDropAnotherQueuePairNumber(int off) {
        peer.send(write().destinationQp(peer.qp.number() + off & 0xFF_FFFF));
        peer.expectSilentDrop(Counter.DROPPED_UNKNOWN_QP);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 0xFF_FFFF})
    void shouldDropQueuePairNumbersThatNobodyHas(int number) {
        peer.send(write().destinationQp(number));
        peer.expectSilentDrop(Counter.DROPPED_UNKNOWN_QP);
    }

    @ParameterizedTest
    @ValueSource(ints = {0x15, 0x18, 0x1B, 0x1F, 0x40, 0x60, 0x63, 0x66, 0x80, 0x82, 0xB5, 0xE0, 0xFF})
    void shouldDropUnknownOpcodes(int code) {
        peer.send(write().opcode(code));
        peer.expectSilentDrop(Counter.DROPPED_UNKNOWN_OPCODE);
    }

    @ParameterizedTest
    @ValueSource(ints = {0x24, 0x64, 0xA4})
    void shouldDropOpcodesOfOtherTransports(int code) {
        peer.receive(1, 0, 256);
        peer.send(write().opcode(code));
        peer.expectSilentDrop(Counter.DROPPED_WRONG_TRANSPORT);
    }

    @Test
    void shouldDropWhatDoesNotComeFromThePeer() {
        peer.sendFromStranger(write());
        peer.expectSilentDrop(Counter.DROPPED_WRONG_ADDRESS);
        expectThatTheRightPacketIsStillTaken();
    }

    @ParameterizedTest
    @ValueSource(ints = {12, 16, 21, 28, 29, 35, 39})
    void shouldDropPacketsThatAreCutShort(int cut) {
        peer.send(write().cut(cut));
        assertEquals(
                1,
                peer.count(Counter.DROPPED_TRUNCATED) + peer.count(Counter.DROPPED_BAD_ICRC),
                peer.context.counters()::toString);
        assertEquals(cut > 8 ? 1 : 0, peer.count(Counter.DROPPED_TRUNCATED));
        assertEquals(List.of(), peer.answers);
        peer.memory.assertUntouched();
    }

    @Test
    void shouldDropCongestionNotices() {
        peer.send(new RawPacket(Opcode.CNP, peer.qp.number(), 0).payload(new byte[16]));
        peer.expectSilentDrop(Counter.DROPPED_CONGESTION_NOTICE);
    }

    @Test
    void shouldDropPacketsForAQueuePairInError() {
        peer.qp.modify(QueuePairChange.to(QueuePairState.ERR));
        peer.send(write());
        assertEquals(1, peer.count(Counter.DROPPED_WRONG_STATE));
        assertEquals(List.of(), peer.answers);
        peer.memory.assertUntouched();
    }

    @Test
    void shouldDropAnswersForAQueuePairThatCannotSendYet() {
        try (ScriptedPeer early = new ScriptedPeer(ScriptedPeer.toRtr(), null)) {
            early.send(early.response(Opcode.RC_ACKNOWLEDGE, 0));
            assertEquals(1, early.count(Counter.DROPPED_WRONG_STATE));
            assertEquals(QueuePairState.RTR, early.qp.state());
        }
    }

    @Test
    void shouldServeRequestsBeforeItCanSend() {
        try (ScriptedPeer early = new ScriptedPeer(ScriptedPeer.toRtr(), null)) {
            early.send(early.request(Opcode.RC_RDMA_WRITE_ONLY, 0)
                    .reth(early.memory.address(), early.memory.rkey(), 8)
                    .payload(8)
                    .ackRequested());
            assertEquals(Syndrome.ACK, early.answers.getFirst().syndrome());
        }
    }

    @Test
    void shouldDropPacketsForAClosedQueuePair() {
        RawPacket late = write();
        peer.qp.close();
        peer.send(late);
        assertEquals(1, peer.count(Counter.DROPPED_UNKNOWN_QP));
        assertEquals(List.of(), peer.answers);
    }

    @Test
    void shouldDropManagementPacketsThatAreNoManagementDatagrams() {
        peer.send(write().destinationQp(1));
        assertEquals(1, peer.count(Counter.DROPPED_BAD_MAD));
        assertEquals(List.of(), peer.answers);
    }
}
