package io.verbena.soft.qp;

import static io.verbena.soft.rig.ScriptedPeer.MTU;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.roce.packet.Opcode;
import io.verbena.roce.packet.Syndrome;
import io.verbena.soft.engine.Counter;
import io.verbena.soft.rig.RawPacket;
import io.verbena.soft.rig.ScriptedPeer;
import io.verbena.verbs.QueuePairChange;
import io.verbena.verbs.attr.CompletionStatus;
import io.verbena.verbs.attr.QueuePairState;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// A hostile peer tries to keep this side waiting or busy, or to access memory without permission.
class PeerAttacksTest {
    private static final Duration SOON = Duration.ofMillis(10);
    private static final int FOR_EVER = 2000;

    private ScriptedPeer peer = new ScriptedPeer();

    @AfterEach
    void close() {
        assertEquals(0, peer.count(Counter.ENGINE_FAULTS));
        peer.memory.assertGuardsUntouched();
        peer.close();
    }

    /// 4 ms, and 3 retries of each kind.
    private void beImpatient() {
        peer.close();
        peer = new ScriptedPeer(
                ScriptedPeer.toRtr(),
                QueuePairChange.toRts(ScriptedPeer.DEVICE_PSN)
                        .timeout(10)
                        .retryCount(3)
                        .rnrRetry(3));
    }

    /// The peer repeats the same response for ever; the request must still end.
    private void expectEnd(CompletionStatus status, RawPacket... answers) {
        for (int i = 0; i < FOR_EVER && peer.completions.isEmpty(); i++) {
            peer.send(answers);
            peer.run(SOON);
        }
        assertEquals(List.of(status), peer.statuses());
        assertEquals(QueuePairState.ERR, peer.qp.state());
    }

    private RawPacket answer(int of, int syndrome) {
        return peer.response(Opcode.RC_ACKNOWLEDGE, of).aeth(syndrome, 1);
    }

    @Test
    void shouldGiveUpAPeerThatReportsTheSameGapForEver() {
        beImpatient();
        peer.postSend(1, 4 * MTU);
        expectEnd(CompletionStatus.RETRY_EXCEEDED, answer(0, Syndrome.NAK_PSN_SEQUENCE));
    }

    @Test
    void shouldGiveUpAPeerThatAcknowledgesOldPacketsForEver() {
        beImpatient();
        peer.postSend(1, 2 * MTU);
        expectEnd(CompletionStatus.RETRY_EXCEEDED, answer(-1, Syndrome.ACK), answer(-1000, Syndrome.ACK));
    }

    @Test
    void shouldGiveUpAPeerThatAcknowledgesHalfAMessageForEver() {
        beImpatient();
        peer.postSend(1, 4 * MTU);
        expectEnd(CompletionStatus.RETRY_EXCEEDED, answer(1, Syndrome.ACK));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 31})
    void shouldGiveUpAPeerThatIsNeverReadyWhateverElseItSays(int timer) {
        beImpatient();
        peer.postSend(1, 2 * MTU);
        expectEnd(
                CompletionStatus.RNR_RETRY_EXCEEDED,
                answer(0, Syndrome.rnrNak(timer)),
                answer(0, Syndrome.NAK_PSN_SEQUENCE),
                answer(-1, Syndrome.ACK));
    }

    @Test
    void shouldGiveUpAPeerThatAnswersAReadFromTheMiddleForEver() {
        beImpatient();
        peer.postRead(1, 0, 4 * MTU);
        expectEnd(
                CompletionStatus.RETRY_EXCEEDED,
                peer.response(Opcode.RC_RDMA_READ_RESPONSE_MIDDLE, 2).payload(MTU),
                peer.response(Opcode.RC_RDMA_READ_RESPONSE_LAST, 3).payload(MTU));
        peer.memory.assertUntouched();
    }

    @ParameterizedTest
    @ValueSource(ints = {0x8000_0001, 0xFFFF_FFFF})
    void shouldRefuseAReadOfMoreThanTheLongestMessage(int length) {
        peer.send(peer.request(Opcode.RC_RDMA_READ_REQUEST, 0).reth(peer.memory.address(), peer.memory.rkey(), length));
        peer.expectRefusal(Syndrome.NAK_INVALID_REQUEST, 0);
    }

    /// Addresses and lengths whose sums overflow.
    @ParameterizedTest
    @CsvSource({"RC_RDMA_READ_REQUEST,-4,8", "RC_RDMA_WRITE_ONLY,-4,8", "RC_RDMA_READ_REQUEST,-1,2147483647"})
    void shouldRefuseAddressesThatWrap(Opcode opcode, long address, int length) {
        RawPacket packet = peer.request(opcode, 0).reth(address, peer.memory.rkey(), length);
        peer.send(opcode.isWrite() ? packet.payload(length) : packet);
        peer.expectRefusal(Syndrome.NAK_REMOTE_ACCESS, 0);
        peer.memory.assertUntouched();
    }

    @Test
    void shouldRefuseAtomicsAtAddressesThatWrap() {
        peer.send(peer.request(Opcode.RC_FETCH_ADD, 0).atomic(-8, peer.memory.rkey(), 1, 0));
        peer.expectRefusal(Syndrome.NAK_REMOTE_ACCESS, 0);
        peer.memory.assertUntouched();
    }

    @ParameterizedTest
    @CsvSource({"8,0", "1,3", "0,1", "0,3"})
    void shouldRefuseReadsThatBringBytes(int payload, int pad) {
        peer.send(peer.request(Opcode.RC_RDMA_READ_REQUEST, 0)
                .reth(peer.memory.address(), peer.memory.rkey(), 8)
                .payload(payload)
                .pad(pad));
        peer.expectRefusal(Syndrome.NAK_INVALID_REQUEST, 0);
    }

    @Test
    void shouldRefuseAtomicsThatBringBytes() {
        peer.send(peer.request(Opcode.RC_COMPARE_SWAP, 0)
                .atomic(peer.memory.address(), peer.memory.rkey(), 1, 0)
                .payload(8));
        peer.expectRefusal(Syndrome.NAK_INVALID_REQUEST, 0);
        peer.memory.assertUntouched();
    }

    @ParameterizedTest
    @CsvSource({"0,0", "4,0", "7,0", "15,0", "1,2", "1,3"})
    void shouldRefuseFlushesOfAnUnknownKind(int types, int selectivity) {
        peer.send(peer.request(Opcode.RC_FLUSH, 0)
                .reth(peer.memory.address(), peer.memory.rkey(), 8)
                .feth(types, selectivity));
        peer.expectRefusal(Syndrome.NAK_INVALID_REQUEST, 0);
    }

    @Test
    void shouldKeepNothingOfPacketsFarAheadAndAnswerOnce() {
        peer.receive(1, 0, 8);
        peer.send(IntStream.range(1, 5000)
                .mapToObj(i -> peer.request(Opcode.RC_SEND_ONLY, i * 1000 & 0x7F_FFFF)
                        .payload(8)
                        .ackRequested())
                .toArray(RawPacket[]::new));
        assertEquals(
                List.of(Syndrome.NAK_PSN_SEQUENCE),
                syndromes().distinct().boxed().toList());
        assertTrue(peer.answers.size() <= 2, () -> peer.answers.size() + " answers");
        peer.memory.assertUntouched();
        peer.answers.clear();
        peer.send(peer.request(Opcode.RC_SEND_ONLY, 0).payload(8).ackRequested());
        assertEquals(List.of(Syndrome.ACK), syndromes().boxed().toList());
        assertEquals(List.of(CompletionStatus.SUCCESS), peer.statuses());
    }

    private IntStream syndromes() {
        return peer.answers.stream().mapToInt(ScriptedPeer.Frame::syndrome);
    }

    /// A READ of many packets costs its sender one. Duplicates that arrive before the response are not answered
    /// separately.
    @Test
    void shouldNotAnswerABurstOfRepeatedReadsManyTimes() {
        RawPacket read =
                peer.request(Opcode.RC_RDMA_READ_REQUEST, 0).reth(peer.memory.address(), peer.memory.rkey(), 64 * MTU);
        peer.send(IntStream.range(0, 1000).mapToObj(i -> read).toArray(RawPacket[]::new));
        peer.run(SOON);
        assertTrue(peer.answers.size() >= 64, () -> peer.answers.size() + " answers");
        assertTrue(peer.answers.size() <= 20 * 64, () -> peer.answers.size() + " answers");
        assertEquals(QueuePairState.RTS, peer.qp.state());
    }

    /// An incomplete message keeps its receive; the program gets it back when the queue pair ends.
    @Test
    void shouldGiveBackTheReceiveOfAMessageThatIsNeverFinished() {
        peer.receive(7, 0, 4 * MTU);
        peer.send(peer.request(Opcode.RC_SEND_FIRST, 0).payload(MTU));
        peer.run(Duration.ofSeconds(100));
        assertEquals(List.of(), peer.completions);
        peer.qp.modify(QueuePairChange.to(QueuePairState.ERR));
        peer.run();
        assertEquals(List.of(CompletionStatus.WORK_REQUEST_FLUSHED), peer.statuses());
        assertEquals(7, peer.completions.getFirst().wrId());
    }

    /// Management datagrams of all unsupported classes and versions.
    @Test
    void shouldCountManagementDatagramsOfOtherClasses() {
        byte[] mad = new byte[256];
        int count = 0;
        for (int version = 0; version < 4; version++) {
            for (int managementClass = 0; managementClass < 256; managementClass++) {
                if (version == 1 && managementClass == 7) {
                    continue;
                }
                mad[0] = (byte) version;
                mad[1] = (byte) managementClass;
                mad[2] = 2;
                mad[3] = 3;
                mad[17] = 0x10;
                peer.sendFromStranger(new RawPacket(Opcode.UD_SEND_ONLY, 1, count++)
                        .deth(0x8001_0000, 1)
                        .payload(mad.clone()));
            }
        }
        assertEquals(count, peer.count(Counter.DROPPED_BAD_MAD));
        assertEquals(List.of(), peer.answers);
    }
}
