package io.verbena.soft.qp;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.roce.header.Bth;
import io.verbena.roce.header.Reth;
import io.verbena.roce.packet.Opcode;
import io.verbena.roce.packet.Psn;
import io.verbena.soft.engine.Counter;
import io.verbena.soft.fault.Fault;
import io.verbena.soft.fault.FaultPlan;
import io.verbena.soft.fault.FrameMatcher;
import io.verbena.soft.rig.SimulatedPair;
import io.verbena.soft.rig.Tap;
import io.verbena.verbs.attr.CompletionStatus;
import io.verbena.verbs.attr.Mtu;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.List;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// READs: split, limited in number, requested again where their response was lost, and waited for by fenced requests.
class ReadTest {
    private static final int MTU = 256;
    private static final int INTO = 128 * 1024;
    private static final int FIRST = SimulatedPair.LEFT_PSN;

    private SimulatedPair pair = pair(16);

    private static SimulatedPair pair(int reads) {
        return new SimulatedPair(1, 256 * 1024)
                .receiving(rtr -> rtr.maxDestinationReadAtomic(reads))
                .sending(rts -> rts.maxReadAtomic(reads))
                .connect(Mtu.MTU_256);
    }

    private void reads(int reads) {
        pair.close();
        pair = pair(reads);
    }

    @AfterEach
    void close() {
        assertEquals(0, pair.left.counter(Counter.ENGINE_FAULTS));
        assertEquals(0, pair.right.counter(Counter.ENGINE_FAULTS));
        assertEquals(0, pair.right.counter(Counter.ERROR_NAKS_SENT));
        pair.close();
    }

    private static int psn(int after) {
        return Psn.add(FIRST, after);
    }

    private List<Tap.Frame> requests() {
        return pair.left.tap.frames(Opcode.RC_RDMA_READ_REQUEST);
    }

    private static int lengthOf(Tap.Frame request) {
        return Reth.length(MemorySegment.ofArray(request.bytes()), Bth.BYTES);
    }

    private static long addressOf(Tap.Frame request) {
        return Reth.virtualAddress(MemorySegment.ofArray(request.bytes()), Bth.BYTES);
    }

    private byte[] readAll(int packets) {
        byte[] data = pair.right.fill(0, packets * MTU, packets);
        pair.left.read(1, 0, data.length, INTO);
        pair.expect(pair.left, 1);
        assertEquals(List.of(CompletionStatus.SUCCESS), pair.left.statuses());
        assertArrayEquals(data, pair.left.bytes(INTO, data.length));
        return data;
    }

    @Test
    void shouldAskForALongReadInParts() {
        readAll(128);
        assertEquals(
                List.of(62 * MTU, 62 * MTU, 4 * MTU),
                requests().stream().map(ReadTest::lengthOf).toList());
        assertEquals(
                List.of(psn(0), psn(62), psn(124)),
                requests().stream().map(Tap.Frame::psn).toList());
        assertEquals(psn(128), pair.left.qp.query().sendPsn());
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 16})
    void shouldNotHaveMoreReadsOutThanThePeerServes(int most) {
        reads(most);
        pair.right.tap.loseEverything();
        for (int i = 0; i < 20; i++) {
            pair.left.read(i, 0, MTU, INTO + i * MTU);
        }
        pair.run(Duration.ofMillis(60));
        assertEquals(Math.min(most, 20), requests().size());
        pair.right.tap.loseNothing();
        pair.expect(pair.left, 20);
        assertTrue(pair.left.statuses().stream().allMatch(CompletionStatus.SUCCESS::equals));
    }

    @Test
    void shouldCountEachPartOfALongReadAgainstTheLimit() {
        reads(2);
        pair.right.tap.loseEverything();
        pair.left.read(1, 0, 100 * MTU, INTO);
        pair.run(Duration.ofMillis(60));
        assertEquals(2, requests().size());
    }

    @Test
    void shouldHoldBackWhatIsBehindAReadThatWaitsForItsTurn() {
        reads(1);
        pair.right.tap.loseEverything();
        pair.left.read(1, 0, MTU, INTO);
        pair.left.read(2, 0, MTU, INTO);
        pair.left.write(3, 0, MTU, 0);
        pair.run(Duration.ofMillis(60));
        assertEquals(0, pair.left.tap.count(Opcode.RC_RDMA_WRITE_ONLY));
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void shouldServeOneReadAtATimeWhenPacketsComeTwiceAndOutOfOrder(long seed) {
        reads(1);
        pair.faults(FaultPlan.none()
                .withSeed(seed)
                .withDuplicate(0.2)
                .withReorder(0.1)
                .withLoss(0.02));
        byte[] data = pair.right.fill(0, 100 * MTU, seed);
        for (int i = 0; i < 20; i++) {
            pair.left.read(i, i * 5 * MTU, 5 * MTU, INTO + i * 5 * MTU);
        }
        pair.expect(pair.left, 20);
        assertTrue(
                pair.left.statuses().stream().allMatch(CompletionStatus.SUCCESS::equals),
                () -> "seed " + seed + ": " + pair.left.completions);
        assertArrayEquals(data, pair.left.bytes(INTO, data.length));
    }

    @Test
    void shouldAskAgainFromTheLostPacketOnWhenAnAnswerIsLostInTheMiddle() {
        pair.right.tap.lose(1, frame -> frame.psn() == psn(5));
        readAll(10);
        List<Tap.Frame> requests = requests();
        assertEquals(2, requests.size());
        assertEquals(psn(5), requests.get(1).psn());
        assertEquals(5 * MTU, lengthOf(requests.get(1)));
        assertEquals(pair.right.memory.address() + 5 * MTU, addressOf(requests.get(1)));
        assertEquals(1, pair.right.counter(Counter.DUPLICATE_REQUESTS));
        assertEquals(0, pair.left.counter(Counter.ACK_TIMEOUTS), "the gap shows without waiting");
        Tap.Frame resumed = pair.right.tap.frames().stream()
                .filter(frame -> frame.psn() == psn(5) && !frame.lost())
                .findFirst()
                .orElseThrow();
        assertEquals(Opcode.RC_RDMA_READ_RESPONSE_FIRST, resumed.opcode(), "a repeated READ is answered as a new one");
    }

    @Test
    void shouldAskAgainForThePartOnlyWhenAnAnswerIsLostInTheSecondPart() {
        pair.right.tap.lose(1, frame -> frame.psn() == psn(70));
        readAll(100);
        Tap.Frame again = requests().getLast();
        assertEquals(psn(70), again.psn());
        assertEquals(30 * MTU, lengthOf(again));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 9})
    void shouldRecoverWhenTheFirstOrLastAnswerIsLost(int lost) {
        pair.right.tap.lose(1, frame -> frame.psn() == psn(lost));
        readAll(10);
        assertEquals(psn(lost), requests().getLast().psn());
        assertEquals(lost == 9 ? 1 : 0, pair.left.counter(Counter.ACK_TIMEOUTS));
    }

    @Test
    void shouldRecoverWhenTheRequestIsLost() {
        pair.left.tap.lose(1, Opcode.RC_RDMA_READ_REQUEST);
        readAll(10);
        assertEquals(0, pair.right.counter(Counter.DUPLICATE_REQUESTS));
        assertEquals(1, pair.left.counter(Counter.ACK_TIMEOUTS));
    }

    @Test
    void shouldTakeAnAcknowledgementBehindAReadAsASignThatItsAnswerWasLost() {
        Predicate<Tap.Frame> answers = frame -> frame.opcode().isReadResponse();
        pair.right.tap.lose(1, answers);
        byte[] data = pair.right.fill(0, MTU, 3);
        pair.left.read(1, 0, MTU, INTO);
        pair.left.write(2, 0, 10, 200 * 1024);
        pair.expect(pair.left, 2);
        assertEquals(List.of(1L, 2L), pair.left.wrIds());
        assertArrayEquals(data, pair.left.bytes(INTO, MTU));
        assertEquals(0, pair.left.counter(Counter.ACK_TIMEOUTS));
        assertEquals(1, pair.left.counter(Counter.LOST_READ_RESPONSES));
    }

    @Test
    void shouldAnswerADuplicateReadWithTheBytesOfToday() {
        pair.right.tap.loseEverything();
        pair.right.fill(0, MTU, 4);
        pair.left.read(1, 0, MTU, INTO);
        pair.run(Duration.ofMillis(1));
        byte[] today = pair.right.fill(0, MTU, 5);
        pair.right.tap.loseNothing();
        pair.expect(pair.left, 1);
        assertArrayEquals(today, pair.left.bytes(INTO, MTU), "a duplicate READ is carried out again");
    }

    @Test
    void shouldIgnoreAnswersThatComeTwice() {
        pair.faultsFrom(
                pair.right,
                FaultPlan.none()
                        .when(
                                FrameMatcher.opcode(Opcode.RC_RDMA_READ_RESPONSE_MIDDLE.code()),
                                Fault.DUPLICATE,
                                Long.MAX_VALUE));
        readAll(10);
        assertEquals(8, pair.left.counter(Counter.STALE_RESPONSES));
        assertEquals(1, requests().size());
    }

    @Test
    void shouldStartAFencedRequestOnlyWhenReadsBeforeItAreDone() {
        pair.left.read(1, 0, 20 * MTU, INTO);
        pair.left.post(pair.left
                .request(2)
                .write(pair.right.memory.address(), pair.right.memory.rkey())
                .from(pair.left.memory, 0, 8)
                .fenced());
        pair.left.write(3, 0, 8, 0);
        pair.expect(pair.left, 3);
        Duration answered = pair.right
                .tap
                .frames(Opcode.RC_RDMA_READ_RESPONSE_LAST)
                .getFirst()
                .at();
        Tap.Frame fenced = pair.left.tap.frames(Opcode.RC_RDMA_WRITE_ONLY).getFirst();
        assertTrue(fenced.at().compareTo(answered) > 0, "the fenced request left before the answer");
        assertEquals(List.of(1L, 2L, 3L), pair.left.wrIds());
    }

    @Test
    void shouldStartARequestWithoutFenceBeforeTheReadIsAnswered() {
        pair.left.read(1, 0, 20 * MTU, INTO);
        pair.left.write(2, 0, 8, 0);
        pair.expect(pair.left, 2);
        Duration asked = requests().getFirst().at();
        assertEquals(
                asked,
                pair.left.tap.frames(Opcode.RC_RDMA_WRITE_ONLY).getFirst().at());
    }

    @Test
    void shouldNotLookAtTheKeyOfAnEmptyRead() {
        pair.left.post(pair.left.request(1).read(0xBAD, 0xBAD).empty());
        pair.expect(pair.left, 1);
        assertEquals(List.of(CompletionStatus.SUCCESS), pair.left.statuses());
        assertEquals(1, pair.right.tap.count(Opcode.RC_RDMA_READ_RESPONSE_ONLY));
        assertEquals(psn(1), pair.left.qp.query().sendPsn(), "one PSN");
    }
}
