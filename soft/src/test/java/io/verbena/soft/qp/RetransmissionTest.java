package io.verbena.soft.qp;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.roce.packet.Opcode;
import io.verbena.roce.packet.Psn;
import io.verbena.roce.packet.Syndrome;
import io.verbena.soft.engine.Counter;
import io.verbena.soft.fault.Fault;
import io.verbena.soft.fault.FaultPlan;
import io.verbena.soft.fault.FrameMatcher;
import io.verbena.soft.rig.SimulatedPair;
import io.verbena.soft.rig.Tap;
import io.verbena.verbs.SendRequest;
import io.verbena.verbs.attr.CompletionStatus;
import io.verbena.verbs.attr.Mtu;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Lost packets are sent again, once and from the right PSN; duplicates are executed once.
class RetransmissionTest {
    private static final int MTU = 256;
    private static final int FIRST = SimulatedPair.LEFT_PSN;

    private final SimulatedPair pair = new SimulatedPair(1, 256 * 1024).connect(Mtu.MTU_256);
    private final SimulatedPair.Side left = pair.left;
    private final SimulatedPair.Side right = pair.right;

    @AfterEach
    void close() {
        assertEquals(0, left.counter(Counter.ENGINE_FAULTS));
        assertEquals(0, right.counter(Counter.ENGINE_FAULTS));
        pair.close();
    }

    private static int psn(int after) {
        return Psn.add(FIRST, after);
    }

    private List<Integer> psnsSent() {
        return left.tap.frames().stream().map(Tap.Frame::psn).toList();
    }

    private void expectSuccess(SimulatedPair.Side side, int completions) {
        pair.expect(side, completions);
        assertTrue(side.statuses().stream().allMatch(CompletionStatus.SUCCESS::equals), side.completions::toString);
    }

    @Test
    void shouldResendWhenTheOnlyPacketIsLost() {
        byte[] message = left.fill(0, 100, 1);
        right.receive(7, 1000, 200);
        left.tap.lose(1, Opcode.RC_SEND_ONLY);
        left.send(1, 0, 100);
        expectSuccess(left, 1);
        expectSuccess(right, 1);
        assertArrayEquals(message, right.bytes(1000, 100));
        assertEquals(1, left.counter(Counter.ACK_TIMEOUTS));
        assertEquals(1, left.counter(Counter.PACKETS_RETRANSMITTED));
        assertEquals(0, right.counter(Counter.DUPLICATE_REQUESTS));
        Duration between =
                left.tap.frames().get(1).at().minus(left.tap.frames().get(0).at());
        assertEquals(67_108_864, between.toNanos(), 100_000, "timeout code 14");
    }

    @Test
    void shouldResendOnlyFromTheLostPacketOnWhenTheTailIsLost() {
        byte[] message = left.fill(0, 40 * MTU, 2);
        left.tap.lose(2, frame -> frame.psn() == psn(38) || frame.psn() == psn(39));
        left.write(1, 0, 40 * MTU, 0);
        expectSuccess(left, 1);
        assertArrayEquals(message, right.bytes(0, 40 * MTU));
        // Packet 31 asked for an acknowledgement and got it.
        assertEquals(1, left.counter(Counter.ACK_TIMEOUTS));
        assertEquals(8, left.counter(Counter.PACKETS_RETRANSMITTED));
        assertEquals(6, right.counter(Counter.DUPLICATE_REQUESTS));
        assertEquals(0, right.counter(Counter.SEQUENCE_NAKS_SENT));
    }

    @Test
    void shouldReportAGapOnceAndBeSentEverythingFromThereOn() {
        byte[] message = left.fill(0, 20 * MTU, 3);
        left.tap.lose(1, frame -> frame.psn() == psn(3));
        left.write(1, 0, 20 * MTU, 0);
        expectSuccess(left, 1);
        assertArrayEquals(message, right.bytes(0, 20 * MTU));
        assertEquals(1, right.counter(Counter.SEQUENCE_NAKS_SENT));
        assertEquals(16, right.counter(Counter.OUT_OF_SEQUENCE_REQUESTS));
        assertEquals(1, left.counter(Counter.SEQUENCE_NAKS_RECEIVED));
        assertEquals(0, left.counter(Counter.ACK_TIMEOUTS));
        assertEquals(17, left.counter(Counter.PACKETS_RETRANSMITTED));
        Tap.Frame nak = right.tap.frames().getFirst();
        assertEquals(Syndrome.NAK_PSN_SEQUENCE, nak.syndrome());
        assertEquals(psn(3), nak.psn(), "a sequence NAK carries the expected PSN");
        List<Integer> expected = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            expected.add(psn(i));
        }
        for (int i = 3; i < 20; i++) {
            expected.add(psn(i));
        }
        assertEquals(expected, psnsSent());
    }

    @Test
    void shouldReportTwoGapsEachOnce() {
        byte[] message = left.fill(0, 30 * MTU, 4);
        left.tap.lose(2, frame -> frame.psn() == psn(5) || frame.psn() == psn(20));
        left.write(1, 0, 30 * MTU, 0);
        expectSuccess(left, 1);
        assertArrayEquals(message, right.bytes(0, 30 * MTU));
        // Going back to 5 sends 20 again too, so the second gap closes with the first.
        assertEquals(1, right.counter(Counter.SEQUENCE_NAKS_SENT));

        left.tap.lose(1, frame -> frame.psn() == psn(32));
        left.write(2, 0, 10 * MTU, 0);
        expectSuccess(left, 2);
        assertEquals(2, right.counter(Counter.SEQUENCE_NAKS_SENT));
        assertEquals(0, left.counter(Counter.ACK_TIMEOUTS));
    }

    @Test
    void shouldRecoverByTheTimerWhenTheNakIsLost() {
        byte[] message = left.fill(0, 10 * MTU, 5);
        left.tap.lose(1, frame -> frame.psn() == psn(3));
        right.tap.lose(1, frame -> frame.syndrome() == Syndrome.NAK_PSN_SEQUENCE);
        left.write(1, 0, 10 * MTU, 0);
        expectSuccess(left, 1);
        assertArrayEquals(message, right.bytes(0, 10 * MTU));
        assertEquals(1, left.counter(Counter.ACK_TIMEOUTS));
        assertEquals(1, right.counter(Counter.SEQUENCE_NAKS_SENT), "once per gap, even if it is lost");
    }

    @Test
    void shouldDeliverASendOnceWhenItArrivesTwice() {
        right.receive(1, 0, 100);
        right.receive(2, 1000, 100);
        pair.faultsFrom(
                left, FaultPlan.none().when(FrameMatcher.opcode(Opcode.RC_SEND_ONLY.code()), Fault.DUPLICATE, 1));
        byte[] message = left.fill(0, 100, 7);
        left.send(1, 0, 100);
        expectSuccess(left, 1);
        pair.run(Duration.ofMillis(1));
        assertEquals(List.of(1L), right.wrIds());
        assertArrayEquals(message, right.bytes(0, 100));
        assertArrayEquals(new byte[100], right.bytes(1000, 100));
        assertEquals(1, right.counter(Counter.DUPLICATE_REQUESTS));
    }

    @Test
    void shouldAcknowledgeAgainButNotWriteAgainWhenTheAcknowledgementIsLost() {
        left.fill(0, MTU, 8);
        right.tap.lose(1, Opcode.RC_ACKNOWLEDGE);
        left.write(1, 0, MTU, 0);
        pair.run(Duration.ofMillis(1));
        byte[] changed = right.fill(0, MTU, 9);
        expectSuccess(left, 1);
        assertArrayEquals(changed, right.bytes(0, MTU), "the duplicate was carried out");
        assertEquals(1, right.counter(Counter.DUPLICATE_REQUESTS));
        List<Tap.Frame> acks = right.tap.frames(Opcode.RC_ACKNOWLEDGE);
        assertEquals(2, acks.size());
        assertEquals(acks.get(0).psn(), acks.get(1).psn());
    }

    @Test
    void shouldNotResendWhenALaterAcknowledgementCoversALostOne() {
        right.tap.lose(1, Opcode.RC_ACKNOWLEDGE);
        left.write(1, 0, 10, 0);
        pair.run(Duration.ofMillis(1));
        left.write(2, 0, 10, 0);
        expectSuccess(left, 2);
        assertEquals(List.of(1L, 2L), left.wrIds());
        assertEquals(0, left.counter(Counter.ACK_TIMEOUTS));
        assertEquals(0, left.counter(Counter.PACKETS_RETRANSMITTED));
    }

    @Test
    void shouldAnswerABatchOfMessagesWithOneAcknowledgement() {
        List<SendRequest> chain = new ArrayList<>();
        for (int i = 0; i < 16; i++) {
            chain.add(left.request(i)
                    .write(right.memory.address(), right.memory.rkey())
                    .from(left.memory, 0, 8));
        }
        assertEquals(16, left.qp.postSends(chain));
        expectSuccess(left, 16);
        assertEquals(1, right.tap.count(Opcode.RC_ACKNOWLEDGE));
        assertEquals(1, left.counter(Counter.ACKS_RECEIVED));
    }

    @Test
    void shouldAskForAcknowledgementAtTheEndAndNowAndThenInALongMessage() {
        left.write(1, 0, 100 * MTU, 0);
        expectSuccess(left, 1);
        List<Tap.Frame> frames = left.tap.frames();
        assertTrue(frames.getLast().ackRequested());
        int since = 0;
        for (Tap.Frame frame : frames) {
            since = frame.ackRequested() ? 0 : since + 1;
            assertTrue(since <= 64, "64 packets without asking");
        }
    }

    @Test
    void shouldKeepTheWindowWhenThePeerIsSilent() {
        right.tap.loseEverything();
        left.write(1, 0, 256 * 1024, 0);
        left.write(2, 0, 256 * 1024, 0);
        pair.run(Duration.ofMillis(60));
        assertEquals(256, left.tap.frames().size(), "packets unacknowledged");
        assertTrue(left.tap.frames().getLast().ackRequested(), "the end of the window asks for an acknowledgement");
        right.tap.loseNothing();
        expectSuccess(left, 2);
    }

    @ParameterizedTest
    @ValueSource(ints = {0xFF_FFFF, 0xFF_FFFE, 0xFF_FFF0, 0xFF_FF80, 0, 0x7F_FFFF, 0x80_0000})
    void shouldCountOnAfterTheLastSequenceNumber(int start) {
        try (SimulatedPair wrapping =
                new SimulatedPair(2, 256 * 1024).leftPsn(start).connect(Mtu.MTU_256)) {
            wrapping.faults(FaultPlan.none().withSeed(start).withLoss(0.02));
            byte[] message = wrapping.left.fill(0, 60 * MTU + 5, start);
            wrapping.right.receive(1, 64 * 1024, 64 * 1024);
            wrapping.left.send(1, 0, 60 * MTU + 5);
            wrapping.left.write(2, 0, 60 * MTU + 5, 0);
            wrapping.left.read(3, 0, 60 * MTU + 5, 128 * 1024);
            wrapping.expect(wrapping.left, 3);
            wrapping.expect(wrapping.right, 1);
            assertTrue(wrapping.left.statuses().stream().allMatch(CompletionStatus.SUCCESS::equals));
            assertArrayEquals(message, wrapping.right.bytes(64 * 1024, message.length));
            assertArrayEquals(message, wrapping.right.bytes(0, message.length));
            assertArrayEquals(message, wrapping.left.bytes(128 * 1024, message.length));
            assertEquals(Psn.add(start, 3 * 61), wrapping.left.qp.query().sendPsn(), "PSNs used by three messages");
        }
    }
}
