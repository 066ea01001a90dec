package io.verbena.soft.qp;

import static io.verbena.soft.rig.ScriptedPeer.MTU;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.verbena.roce.packet.Opcode;
import io.verbena.roce.packet.Syndrome;
import io.verbena.soft.engine.Counter;
import io.verbena.soft.rig.GuardedMemory;
import io.verbena.soft.rig.RawPacket;
import io.verbena.soft.rig.ScriptedPeer;
import io.verbena.verbs.ProtectionDomain;
import io.verbena.verbs.QueuePairChange;
import io.verbena.verbs.attr.Access;
import io.verbena.verbs.attr.AsyncEventType;
import io.verbena.verbs.attr.CompletionStatus;
import io.verbena.verbs.attr.QueuePairState;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Access checks of registered memory: key, range, rights, domain, and lifetime.
class AccessTest {
    private final ScriptedPeer peer = new ScriptedPeer();
    private final GuardedMemory memory = peer.memory;
    private final int length = (int) memory.length();

    @AfterEach
    void close() {
        assertEquals(0, peer.count(Counter.ENGINE_FAULTS));
        memory.assertGuardsUntouched();
        peer.close();
    }

    private RawPacket write(long address, int rkey, int bytes) {
        return peer.request(Opcode.RC_RDMA_WRITE_ONLY, 0)
                .reth(address, rkey, bytes)
                .payload(bytes)
                .ackRequested();
    }

    private RawPacket read(long address, int rkey, int bytes) {
        return peer.request(Opcode.RC_RDMA_READ_REQUEST, 0).reth(address, rkey, bytes);
    }

    private void expectAccessError() {
        peer.expectRefusal(Syndrome.NAK_REMOTE_ACCESS, 0);
        memory.assertUntouched();
        assertEquals(
                AsyncEventType.QP_ACCESS_ERROR,
                peer.context.asyncEvents().tryTake().type());
    }

    @ParameterizedTest
    @ValueSource(ints = {1, -1, 0x100, -0x100, 0x40_0000, Integer.MIN_VALUE})
    void shouldRefuseAKeyNextToTheRightOne(int off) {
        peer.send(write(memory.address(), memory.rkey() + off, 4));
        expectAccessError();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 0xFF, -1, 0x7FFF_FFFF})
    void shouldRefuseKeysThatAreEasyToGuess(int key) {
        peer.send(write(memory.address(), key, 4));
        expectAccessError();
    }

    @ParameterizedTest
    @CsvSource({"-1, 4", "-4, 4", "-256, 256", "-4096, 4"})
    void shouldRefuseAWriteThatStartsBeforeTheRegion(int offset, int bytes) {
        peer.send(write(memory.address() + offset, memory.rkey(), bytes));
        expectAccessError();
    }

    @ParameterizedTest
    @CsvSource({"-3, 4", "0, 1", "0, 256", "-255, 256", "4096, 4"})
    void shouldRefuseAWriteThatEndsBehindTheRegion(int fromEnd, int bytes) {
        peer.send(write(memory.address() + length + fromEnd, memory.rkey(), bytes));
        expectAccessError();
    }

    @ParameterizedTest
    @ValueSource(longs = {0, Long.MAX_VALUE, Long.MIN_VALUE, -1, -256})
    void shouldRefuseAddressesFarAway(long address) {
        peer.send(write(address, memory.rkey(), 256));
        expectAccessError();
    }

    @Test
    void shouldTakeAWriteThatFillsTheRegionToTheLastByte() {
        peer.send(write(memory.address() + length - 7, memory.rkey(), 7));
        assertEquals(Syndrome.ACK, peer.answers.getFirst().syndrome());
        memory.assertUntouched(0, length - 7);
    }

    /// The whole range is checked with the first packet, so nothing of it is placed.
    @ParameterizedTest
    @CsvSource({"1, 0", "0, 1", "2147483000, 0"})
    void shouldPlaceNothingOfALongWriteThatDoesNotFit(int more, int offset) {
        peer.send(peer.request(Opcode.RC_RDMA_WRITE_FIRST, 0)
                .reth(memory.address() + offset, memory.rkey(), more > 1 ? more : length + more)
                .payload(MTU));
        expectAccessError();
    }

    @ParameterizedTest
    @CsvSource({"-1, 4", "16381, 4", "16384, 1", "0, 16385", "1, 16384"})
    void shouldRefuseAReadBeyondTheRegion(int offset, int bytes) {
        assertEquals(16384, length);
        peer.send(read(memory.address() + offset, memory.rkey(), bytes));
        expectAccessError();
    }

    @Test
    void shouldRefuseTheKeyOfAnotherProtectionDomain() {
        ProtectionDomain other = peer.context.allocateProtectionDomain();
        GuardedMemory foreign = new GuardedMemory(other, 4096);
        peer.send(write(foreign.address(), foreign.rkey(), 4));
        expectAccessError();
        foreign.assertUntouched();
    }

    @Test
    void shouldRefuseAKeyWhoseRegionIsClosed() {
        GuardedMemory short_ = new GuardedMemory(peer.pd, 4096);
        int key = short_.rkey();
        long address = short_.address();
        short_.region().close();
        peer.send(write(address, key, 4));
        expectAccessError();
        short_.assertUntouched();
    }

    @Test
    void shouldRefuseTheOldKeyWhenTheSameMemoryIsRegisteredAgain() {
        GuardedMemory first = new GuardedMemory(peer.pd, 4096);
        int key = first.rkey();
        first.region().close();
        var again = peer.pd.register(first.region().memory(), Access.LOCAL_WRITE, Access.REMOTE_WRITE);
        peer.send(write(again.address(), key, 4));
        expectAccessError();
        first.assertUntouched();
    }

    @Test
    void shouldRefuseAWriteInTheMiddleOfWhichTheRegionIsClosed() {
        GuardedMemory target = new GuardedMemory(peer.pd, 4096);
        peer.send(peer.request(Opcode.RC_RDMA_WRITE_FIRST, 0)
                .reth(target.address(), target.rkey(), 3 * MTU)
                .payload(MTU));
        target.region().close();
        peer.send(peer.request(Opcode.RC_RDMA_WRITE_MIDDLE, 1).payload(MTU));
        peer.expectRefusal(Syndrome.NAK_REMOTE_ACCESS, 1);
        target.assertUntouched(MTU, 4096 - MTU);
        target.assertGuardsUntouched();
    }

    @ParameterizedTest
    @EnumSource(
            value = Opcode.class,
            names = {"RC_RDMA_WRITE_ONLY", "RC_RDMA_READ_REQUEST"})
    void shouldRefuseWhatTheRegionHasNoRightFor(Opcode opcode) {
        Access other = opcode.isWrite() ? Access.REMOTE_READ : Access.REMOTE_WRITE;
        GuardedMemory half = new GuardedMemory(peer.pd, 4096, Access.LOCAL_WRITE, other);
        boolean write = opcode.isWrite();
        peer.send(write ? write(half.address(), half.rkey(), 4) : read(half.address(), half.rkey(), 4));
        expectAccessError();
        half.assertUntouched();
    }

    @Test
    void shouldRefuseTheLocalKeyOfARegionWithoutRemoteRights() {
        GuardedMemory local = new GuardedMemory(peer.pd, 4096, Access.LOCAL_WRITE);
        assertEquals(0, local.rkey());
        peer.send(write(local.address(), local.region().lkey(), 4));
        expectAccessError();
        local.assertUntouched();
    }

    @ParameterizedTest
    @EnumSource(
            value = Opcode.class,
            names = {"RC_RDMA_WRITE_ONLY", "RC_RDMA_READ_REQUEST"})
    void shouldRefuseWhatTheQueuePairHasNoRightFor(Opcode opcode) {
        peer.qp.modify(QueuePairChange.to(QueuePairState.RTS)
                .access(opcode.isWrite() ? Access.REMOTE_READ : Access.REMOTE_WRITE));
        peer.send(
                opcode.isWrite()
                        ? write(memory.address(), memory.rkey(), 4)
                        : read(memory.address(), memory.rkey(), 4));
        peer.expectRefusal(Syndrome.NAK_INVALID_REQUEST, 0);
        memory.assertUntouched();
    }

    @Test
    void shouldRefuseReadsWhenItServesNone() {
        try (ScriptedPeer none =
                new ScriptedPeer(ScriptedPeer.toRtr().maxDestinationReadAtomic(0), ScriptedPeer.toRts())) {
            none.send(none.request(Opcode.RC_RDMA_READ_REQUEST, 0).reth(none.memory.address(), none.memory.rkey(), 4));
            none.expectRefusal(Syndrome.NAK_INVALID_REQUEST, 0);
        }
    }

    @Test
    void shouldNotLookAtTheKeyWhenThereAreNoBytes() {
        peer.send(write(0xDEAD, 0xDEAD, 0));
        assertEquals(Syndrome.ACK, peer.answers.getFirst().syndrome());
        memory.assertUntouched();
    }

    @Test
    void shouldFailTheReceiveWhoseOwnBufferIsNotRegistered() {
        GuardedMemory buffer = new GuardedMemory(peer.pd, 4096);
        peer.qp.post(peer.qp.newReceiveRequest().wrId(3).into(buffer.region(), 0, 100));
        buffer.region().close();
        peer.send(peer.request(Opcode.RC_SEND_ONLY, 0).payload(10));
        peer.expectRefusal(Syndrome.NAK_REMOTE_OPERATION, 0);
        assertEquals(List.of(CompletionStatus.LOCAL_PROTECTION_ERROR), peer.statuses());
        buffer.assertUntouched();
    }

    @Test
    void shouldFailTheReceiveWhoseBufferMayNotBeWritten() {
        GuardedMemory readOnly = new GuardedMemory(peer.pd, 4096, Access.REMOTE_READ);
        peer.qp.post(peer.qp.newReceiveRequest().wrId(3).into(readOnly.region(), 0, 100));
        peer.send(peer.request(Opcode.RC_SEND_ONLY, 0).payload(10));
        peer.expectRefusal(Syndrome.NAK_REMOTE_OPERATION, 0);
        readOnly.assertUntouched();
    }

    @Test
    void shouldHandOutExactlyTheBytesAskedFor() {
        peer.send(write(memory.address() + 100, memory.rkey(), 10));
        peer.send(peer.request(Opcode.RC_RDMA_READ_REQUEST, 1).reth(memory.address() + 98, memory.rkey(), 13));
        byte[] expected = memory.bytes(98, 13);
        assertArrayEquals(expected, peer.answers.getLast().payload());
        assertEquals(0x77, expected[2]);
    }
}
