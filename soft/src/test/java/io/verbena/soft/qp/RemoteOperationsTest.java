package io.verbena.soft.qp;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.roce.header.Feth;
import io.verbena.roce.packet.Opcode;
import io.verbena.roce.packet.Syndrome;
import io.verbena.soft.engine.Counter;
import io.verbena.soft.rig.GuardedMemory;
import io.verbena.soft.rig.RawPacket;
import io.verbena.soft.rig.ScriptedPeer;
import io.verbena.verbs.QueuePairChange;
import io.verbena.verbs.attr.Access;
import io.verbena.verbs.attr.AsyncEventType;
import io.verbena.verbs.attr.QueuePairState;
import java.lang.foreign.ValueLayout;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Atomics, ATOMIC_WRITEs and FLUSHes of a scripted peer: responses, duplicates, refusals.
class RemoteOperationsTest {
    private final ScriptedPeer peer = new ScriptedPeer();
    private final GuardedMemory memory = peer.memory;

    @AfterEach
    void close() {
        assertEquals(0, peer.count(Counter.ENGINE_FAULTS));
        memory.assertGuardsUntouched();
        peer.close();
    }

    private RawPacket add(int after, long offset, long amount) {
        return peer.request(Opcode.RC_FETCH_ADD, after).atomic(memory.address() + offset, memory.rkey(), amount, 0);
    }

    private RawPacket atomicWrite(int after, long offset) {
        return peer.request(Opcode.RC_ATOMIC_WRITE, after)
                .reth(memory.address() + offset, memory.rkey(), 8)
                .payload(8);
    }

    private RawPacket flush(int after, int types, int selectivity) {
        return peer.request(Opcode.RC_FLUSH, after).feth(types, selectivity).reth(memory.address(), memory.rkey(), 64);
    }

    /// A correct request of each kind.
    private RawPacket request(Opcode opcode, int after, long address, int rkey) {
        RawPacket packet = peer.request(opcode, after);
        return switch (opcode) {
            case RC_ATOMIC_WRITE -> packet.reth(address, rkey, 8).payload(8);
            case RC_FLUSH -> packet.feth(Feth.GLOBAL_VISIBILITY, Feth.RANGE).reth(address, rkey, 8);
            default -> packet.atomic(address, rkey, 1, 0);
        };
    }

    private long word(long offset) {
        return memory.region().memory().get(ValueLayout.JAVA_LONG, offset);
    }

    private void word(long offset, long value) {
        memory.region().memory().set(ValueLayout.JAVA_LONG, offset, value);
    }

    private ScriptedPeer.Frame onlyAnswer() {
        assertEquals(1, peer.answers.size(), peer.answers::toString);
        return peer.answers.removeFirst();
    }

    @Test
    void shouldAnswerAnAtomicWithWhatItFound() {
        word(8, 1000);
        peer.send(add(0, 8, -1));
        ScriptedPeer.Frame answer = onlyAnswer();
        assertEquals(Opcode.RC_ATOMIC_ACKNOWLEDGE, answer.opcode());
        assertEquals(Syndrome.ACK, answer.syndrome());
        assertEquals(1, answer.msn());
        assertEquals(ScriptedPeer.PEER_PSN, answer.psn());
        assertEquals(1000, answer.original());
        assertEquals(999, word(8));
        peer.send(peer.request(Opcode.RC_COMPARE_SWAP, 1).atomic(memory.address() + 8, memory.rkey(), 5, 999));
        assertEquals(999, onlyAnswer().original());
        assertEquals(5, word(8));
        memory.assertUntouched(0, 8);
        memory.assertUntouched(16, memory.length() - 16);
    }

    @Test
    void shouldAnswerARepeatedAtomicFromMemoryOfTheFirstTime() {
        word(0, 7);
        peer.send(add(0, 0, 1));
        onlyAnswer();
        word(0, 500);
        peer.send(add(0, 0, 1));
        ScriptedPeer.Frame again = onlyAnswer();
        assertEquals(7, again.original());
        assertEquals(ScriptedPeer.PEER_PSN, again.psn());
        assertEquals(1, again.msn(), "duplicates are no messages");
        assertEquals(500, word(0), "not carried out again");
    }

    @Test
    void shouldDropARepeatedAtomicThatIsNotRemembered() {
        ScriptedPeer two = new ScriptedPeer(ScriptedPeer.toRtr().maxDestinationReadAtomic(2), ScriptedPeer.toRts());
        try (two) {
            for (int i = 0; i < 3; i++) {
                two.send(two.request(Opcode.RC_FETCH_ADD, i).atomic(two.memory.address(), two.memory.rkey(), 1, 0));
            }
            assertEquals(3, two.answers.size());
            two.answers.clear();
            two.send(two.request(Opcode.RC_FETCH_ADD, 0).atomic(two.memory.address(), two.memory.rkey(), 1, 0));
            assertEquals(List.of(), two.answers);
            two.send(two.request(Opcode.RC_FETCH_ADD, 1).atomic(two.memory.address(), two.memory.rkey(), 1, 0));
            assertEquals(1, two.answers.size());
            assertEquals(QueuePairState.RTS, two.qp.state());
        }
    }

    @ParameterizedTest
    @CsvSource({"RC_COMPARE_SWAP, 0, 0", "RC_FETCH_ADD, 8, 0", "RC_FETCH_ADD, 0, 256", "RC_ATOMIC_WRITE, 0, 0"})
    void shouldDropARepetitionThatAsksForSomethingElse(Opcode opcode, int offset, int keyOff) {
        word(0, 0);
        peer.send(add(0, 0, 1));
        peer.answers.clear();
        peer.send(request(opcode, 0, memory.address() + offset, memory.rkey() + keyOff));
        assertEquals(List.of(), peer.answers);
        assertEquals(1, word(0));
        assertEquals(QueuePairState.RTS, peer.qp.state());
    }

    @Test
    void shouldRefuseMoreAtomicsThanItServes() {
        ScriptedPeer one = new ScriptedPeer(ScriptedPeer.toRtr().maxDestinationReadAtomic(1), ScriptedPeer.toRts());
        try (one) {
            one.send(
                    one.request(Opcode.RC_FETCH_ADD, 0).atomic(one.memory.address(), one.memory.rkey(), 1, 0),
                    one.request(Opcode.RC_FETCH_ADD, 1).atomic(one.memory.address(), one.memory.rkey(), 1, 0));
            assertEquals(QueuePairState.ERR, one.qp.state());
            assertEquals(Syndrome.NAK_INVALID_REQUEST, one.answers.getLast().syndrome());
        }
    }

    @Test
    void shouldStoreAnAtomicWriteAsItIsAndOnce() {
        peer.send(atomicWrite(0, 16));
        ScriptedPeer.Frame answer = onlyAnswer();
        assertEquals(Opcode.RC_RDMA_READ_RESPONSE_ONLY, answer.opcode());
        assertEquals(0, answer.payload().length);
        assertEquals(Syndrome.ACK, answer.syndrome());
        assertEquals(ScriptedPeer.PEER_PSN, answer.psn());
        assertEquals(0x7777_7777_7777_7777L, word(16));
        word(16, 1);
        peer.send(atomicWrite(0, 16));
        assertEquals(Opcode.RC_RDMA_READ_RESPONSE_ONLY, onlyAnswer().opcode());
        assertEquals(1, word(16), "not carried out again");
        memory.assertUntouched(0, 16);
        memory.assertUntouched(24, memory.length() - 24);
    }

    @ParameterizedTest
    @ValueSource(ints = {Feth.RANGE, Feth.WHOLE_REGION})
    void shouldAnswerAFlushLikeAReadOfNothing(int selectivity) {
        for (int time = 0; time < 2; time++) {
            peer.send(flush(0, Feth.GLOBAL_VISIBILITY, selectivity));
            ScriptedPeer.Frame answer = onlyAnswer();
            assertEquals(Opcode.RC_RDMA_READ_RESPONSE_ONLY, answer.opcode());
            assertEquals(0, answer.payload().length);
            assertEquals(1, answer.msn());
        }
        memory.assertUntouched();
    }

    @Test
    void shouldFlushTheWholeRegionWhateverRangeIsGiven() {
        peer.send(peer.request(Opcode.RC_FLUSH, 0)
                .feth(Feth.GLOBAL_VISIBILITY, Feth.WHOLE_REGION)
                .reth(0, memory.rkey(), 0));
        assertEquals(Opcode.RC_RDMA_READ_RESPONSE_ONLY, onlyAnswer().opcode());
    }

    @ParameterizedTest
    @CsvSource({"0, 0", "4, 0", "5, 0", "1, 2", "1, 3"})
    void shouldRefuseAFlushOfAnUnknownKind(int types, int selectivity) {
        peer.send(flush(0, types, selectivity));
        peer.expectRefusal(Syndrome.NAK_INVALID_REQUEST, 0);
    }

    @ParameterizedTest
    @ValueSource(ints = {Feth.PERSISTENCE, Feth.PERSISTENCE | Feth.GLOBAL_VISIBILITY})
    void shouldRefuseAFlushTypeThatTheRegionDoesNotAllow(int types) {
        peer.send(flush(0, types, Feth.RANGE));
        peer.expectRefusal(Syndrome.NAK_REMOTE_ACCESS, 0);
    }

    @ParameterizedTest
    @EnumSource(
            value = Opcode.class,
            names = {"RC_COMPARE_SWAP", "RC_FETCH_ADD", "RC_ATOMIC_WRITE"})
    void shouldRefuseAWordThatIsNotAligned(Opcode opcode) {
        peer.send(request(opcode, 0, memory.address() + 4, memory.rkey()));
        peer.expectRefusal(Syndrome.NAK_INVALID_REQUEST, 0);
        memory.assertUntouched();
        assertEquals(
                AsyncEventType.QP_REQUEST_ERROR,
                peer.context.asyncEvents().tryTake().type());
    }

    @ParameterizedTest
    @EnumSource(
            value = Opcode.class,
            names = {"RC_COMPARE_SWAP", "RC_FETCH_ADD", "RC_ATOMIC_WRITE", "RC_FLUSH"})
    void shouldRefuseAKeyThatIsNone(Opcode opcode) {
        peer.send(request(opcode, 0, memory.address(), memory.rkey() ^ 1));
        peer.expectRefusal(Syndrome.NAK_REMOTE_ACCESS, 0);
        memory.assertUntouched();
        assertEquals(
                AsyncEventType.QP_ACCESS_ERROR,
                peer.context.asyncEvents().tryTake().type());
    }

    @ParameterizedTest
    @CsvSource({
        "RC_FETCH_ADD, -8",
        "RC_FETCH_ADD, 16384",
        "RC_COMPARE_SWAP, 16384",
        "RC_ATOMIC_WRITE, -8",
        "RC_ATOMIC_WRITE, 16384",
        "RC_FLUSH, 16384",
        "RC_FLUSH, -1"
    })
    void shouldRefuseWhatLiesOutsideTheRegion(Opcode opcode, long offset) {
        peer.send(request(opcode, 0, memory.address() + offset, memory.rkey()));
        peer.expectRefusal(Syndrome.NAK_REMOTE_ACCESS, 0);
        memory.assertUntouched();
    }

    @ParameterizedTest
    @EnumSource(
            value = Opcode.class,
            names = {"RC_COMPARE_SWAP", "RC_FETCH_ADD", "RC_ATOMIC_WRITE", "RC_FLUSH"})
    void shouldRefuseWhatTheQueuePairDoesNotAllow(Opcode opcode) {
        peer.qp.modify(QueuePairChange.to(QueuePairState.RTS).access(Access.REMOTE_READ));
        peer.send(request(opcode, 0, memory.address(), memory.rkey()));
        peer.expectRefusal(Syndrome.NAK_INVALID_REQUEST, 0);
        memory.assertUntouched();
    }

    @ParameterizedTest
    @EnumSource(
            value = Opcode.class,
            names = {"RC_COMPARE_SWAP", "RC_FETCH_ADD", "RC_ATOMIC_WRITE", "RC_FLUSH"})
    void shouldRefuseWhatTheRegionDoesNotAllow(Opcode opcode) {
        GuardedMemory readable = new GuardedMemory(peer.pd, 64, Access.REMOTE_READ);
        peer.send(request(opcode, 0, readable.address(), readable.rkey()));
        peer.expectRefusal(Syndrome.NAK_REMOTE_ACCESS, 0);
        readable.assertUntouched();
    }

    @ParameterizedTest
    @CsvSource({"8, 4", "8, 12", "4, 8", "16, 8", "0, 8"})
    void shouldRefuseAnAtomicWriteOfOtherThanEightBytes(int told, int sent) {
        peer.send(peer.request(Opcode.RC_ATOMIC_WRITE, 0)
                .reth(memory.address(), memory.rkey(), told)
                .payload(sent));
        peer.expectRefusal(Syndrome.NAK_INVALID_REQUEST, 0);
        memory.assertUntouched();
    }

    @Test
    void shouldRefuseAnAtomicInTheMiddleOfAMessage() {
        peer.send(
                peer.request(Opcode.RC_RDMA_WRITE_FIRST, 0)
                        .reth(memory.address(), memory.rkey(), 2 * ScriptedPeer.MTU)
                        .payload(ScriptedPeer.MTU),
                add(1, 4096, 1));
        assertEquals(QueuePairState.ERR, peer.qp.state());
        assertEquals(Syndrome.NAK_INVALID_REQUEST, peer.answers.getLast().syndrome());
        memory.assertUntouched(4096, 8);
    }

    @Test
    void shouldAcknowledgeOnlyBehindTheAnswersToAtomicsBeforeIt() {
        word(0, 1);
        peer.send(
                add(0, 0, 1),
                peer.request(Opcode.RC_RDMA_WRITE_ONLY, 1)
                        .reth(memory.address() + 64, memory.rkey(), 4)
                        .payload(4)
                        .ackRequested());
        assertArrayEquals(
                new Opcode[] {Opcode.RC_ATOMIC_ACKNOWLEDGE, Opcode.RC_ACKNOWLEDGE},
                peer.answers.stream().map(ScriptedPeer.Frame::opcode).toArray());
        assertTrue(peer.answers.getFirst().psn() == ScriptedPeer.PEER_PSN);
    }
}
