package io.verbena.soft.qp;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.roce.packet.Opcode;
import io.verbena.roce.packet.Psn;
import io.verbena.soft.engine.Counter;
import io.verbena.soft.fault.FaultPlan;
import io.verbena.soft.rig.SimulatedPair;
import io.verbena.soft.rig.Tap;
import io.verbena.verbs.Errno;
import io.verbena.verbs.QueuePairChange;
import io.verbena.verbs.attr.CompletionStatus;
import io.verbena.verbs.attr.Mtu;
import io.verbena.verbs.attr.QueuePairState;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Keep-alives to silent peers, in virtual time.
class LivenessTest {
    private static final Duration LIVENESS = Duration.ofSeconds(10);
    private static final Duration SOON = Duration.ofSeconds(1);
    private static final Duration HOUR = Duration.ofHours(1);
    private static final int BYTES = 64 * 1024;

    private final List<Errno> leftHears = new ArrayList<>();
    private final List<Errno> rightHears = new ArrayList<>();

    private SimulatedPair watched(SimulatedPair pair, Duration liveness) {
        ((SoftQueuePair) pair.left.qp).onPeerGone(liveness.toNanos(), leftHears::add);
        ((SoftQueuePair) pair.right.qp).onPeerGone(liveness.toNanos(), rightHears::add);
        return pair.connect(Mtu.MTU_1024);
    }

    private SimulatedPair watched(long seed) {
        return watched(new SimulatedPair(seed, BYTES), LIVENESS);
    }

    private static Arguments last(String name, Consumer<SimulatedPair> request) {
        return Arguments.of(name, request);
    }

    static Stream<Arguments> lastRequests() {
        return Stream.of(
                last("nothing", pair -> {}),
                last("send", pair -> pair.left.send(1, 0, 3000)),
                last(
                        "send with immediate",
                        pair -> pair.left.post(
                                pair.left.request(1).send().immediate(7).from(pair.left.memory, 0, 10))),
                last("write", pair -> pair.left.write(1, 0, 100, 200)),
                last("read", pair -> pair.left.read(1, 0, 5000, 0)),
                last("read of nothing", pair -> pair.left.read(1, 0, 0, 0)),
                last("atomic", pair -> pair.left.add(1, 64, 5, 0)));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("lastRequests")
    void shouldLiveForAnHourWithoutAProgramSeeingIt(String name, Consumer<SimulatedPair> request) {
        for (int psn : new int[] {0, 1, 0xFF_FFFF, 0xFF_FFFC, 0x12_3456}) {
            try (SimulatedPair pair = watched(new SimulatedPair(1, BYTES).leftPsn(psn), LIVENESS)) {
                pair.right.receive(1, 0, 4096);
                pair.right.receive(2, 0, 4096);
                request.accept(pair);
                pair.run(SOON);
                pair.left.completions.forEach(c -> assertEquals(CompletionStatus.SUCCESS, c.status()));
                pair.left.completions.clear();
                boolean tookOne = !pair.right.completions.isEmpty();
                pair.right.completions.clear();
                byte[] before = pair.right.bytes(0, BYTES);
                pair.left.tap.forget();
                pair.right.tap.forget();
                pair.run(HOUR);
                expectUnseen(pair);
                assertArrayEquals(before, pair.right.bytes(0, BYTES));
                long questions =
                        pair.left.counter(Counter.KEEP_ALIVES_SENT) + pair.right.counter(Counter.KEEP_ALIVES_SENT);
                assertEquals(420, questions, 60, "one each 7.5 to 10 s");
                // The PSNs continue as if there had been no keep-alives.
                pair.left.send(3, 0, 4);
                pair.expect(pair.right, 1);
                assertEquals(List.of(tookOne ? 2L : 1L), pair.right.wrIds());
                pair.right.completions.clear();
            }
        }
    }

    private void expectUnseen(SimulatedPair pair) {
        for (SimulatedPair.Side side : List.of(pair.left, pair.right)) {
            assertEquals(List.of(), side.completions);
            assertEquals(QueuePairState.RTS, side.qp.state());
            assertEquals(0, side.counter(Counter.ENGINE_FAULTS));
            assertEquals(0, side.counter(Counter.OUT_OF_SEQUENCE_REQUESTS));
            int last = Psn.add(side.qp.query().sendPsn(), -1);
            List<Tap.Frame> questions = side.tap.frames(Opcode.RC_RDMA_WRITE_ONLY);
            assertEquals(side.counter(Counter.KEEP_ALIVES_SENT), questions.size());
            for (Tap.Frame question : questions) {
                assertEquals(last, question.psn());
                assertTrue(question.ackRequested());
                assertEquals(32, question.bytes().length, "BTH, RETH and ICRC");
            }
            assertEquals(
                    side.tap.frames().size(), questions.size() + side.tap.count(Opcode.RC_ACKNOWLEDGE), "nothing else");
        }
        assertEquals(pair.left.counter(Counter.KEEP_ALIVES_SENT), pair.right.counter(Counter.DUPLICATE_REQUESTS));
        assertEquals(List.of(), leftHears);
        assertEquals(List.of(), rightHears);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("lastRequests")
    void shouldTellOfAPeerThatVanishes(String name, Consumer<SimulatedPair> request) {
        try (SimulatedPair pair = watched(1)) {
            pair.right.receive(1, 0, 4096);
            request.accept(pair);
            pair.run(SOON);
            pair.left.tap.loseEverything();
            pair.right.tap.loseEverything();
            pair.run(LIVENESS.multipliedBy(6).dividedBy(5));
            assertEquals(List.of(), leftHears, "too early");
            pair.run(LIVENESS.dividedBy(2));
            assertEquals(List.of(Errno.ETIMEDOUT), leftHears);
            assertEquals(List.of(Errno.ETIMEDOUT), rightHears);
            assertEquals(16, pair.left.counter(Counter.KEEP_ALIVES_SENT));
            pair.run(HOUR);
            assertEquals(1, leftHears.size(), "once is enough");
            assertEquals(16, pair.left.counter(Counter.KEEP_ALIVES_SENT));
        }
    }

    @Test
    void shouldLiveThroughLoss() {
        for (int seed = 0; seed < 20; seed++) {
            try (SimulatedPair pair = watched(seed)) {
                pair.faults(FaultPlan.none().withLoss(0.2));
                pair.run(HOUR);
                assertEquals(List.of(), leftHears, "seed " + seed);
                assertEquals(List.of(), rightHears, "seed " + seed);
                assertEquals(QueuePairState.RTS, pair.left.qp.state());
            }
        }
    }

    @Test
    void shouldNotAskWhilePacketsCome() {
        try (SimulatedPair pair = watched(1)) {
            for (int i = 0; i < 20; i++) {
                pair.left.write(i, 0, 10, 0);
                pair.run(LIVENESS.dividedBy(2));
            }
            assertEquals(0, pair.left.counter(Counter.KEEP_ALIVES_SENT));
            assertEquals(0, pair.right.counter(Counter.KEEP_ALIVES_SENT));
        }
    }

    @Test
    void shouldSendNothingOnAQueuePairConnectedByHand() {
        try (SimulatedPair pair = new SimulatedPair(1, BYTES).connect(Mtu.MTU_1024)) {
            expectSilence(pair);
        }
    }

    @Test
    void shouldSendNothingWhenTurnedOff() {
        try (SimulatedPair pair = watched(new SimulatedPair(1, BYTES), Duration.ZERO)) {
            expectSilence(pair);
            pair.left.tap.loseEverything();
            pair.left.write(1, 0, 10, 0);
            pair.run(HOUR);
            assertEquals(List.of(CompletionStatus.RETRY_EXCEEDED), pair.left.statuses());
            assertEquals(List.of(), leftHears);
        }
    }

    private static void expectSilence(SimulatedPair pair) {
        pair.run(HOUR);
        assertEquals(List.of(), pair.left.tap.frames());
        assertEquals(List.of(), pair.right.tap.frames());
    }

    @Test
    void shouldTellWhenRetriesOfARequestAreUsedUp() {
        try (SimulatedPair pair = watched(1)) {
            pair.left.tap.loseEverything();
            pair.left.send(1, 0, 10);
            pair.expect(pair.left, 1);
            assertEquals(List.of(CompletionStatus.RETRY_EXCEEDED), pair.left.statuses());
            assertEquals(List.of(Errno.ETIMEDOUT), leftHears);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldAskAlsoWhenAnUnfinishedMessageHasNoTimer(boolean vanishes) {
        SimulatedPair endless = new SimulatedPair(1, BYTES).sending(rts -> rts.timeout(0));
        try (SimulatedPair pair = watched(endless, LIVENESS)) {
            pair.right.receive(1, 0, 16_000);
            pair.left.tap.lose(1, Opcode.RC_SEND_LAST);
            pair.left.send(1, 0, 8000);
            pair.run(SOON);
            if (vanishes) {
                pair.left.tap.loseEverything();
                pair.right.tap.loseEverything();
            }
            pair.run(LIVENESS.multipliedBy(2));
            assertEquals(vanishes ? List.of(Errno.ETIMEDOUT) : List.of(), leftHears);
            pair.run(HOUR);
            assertEquals(vanishes ? 1 : 0, leftHears.size());
            assertEquals(List.of(), pair.right.completions, "half a message");
        }
    }

    @Test
    void shouldForgetThePeerWhenReset() {
        try (SimulatedPair pair = watched(1)) {
            pair.run(SOON);
            pair.left.qp.modify(QueuePairChange.to(QueuePairState.RESET));
            pair.right.qp.modify(QueuePairChange.to(QueuePairState.RESET));
            pair.connect(Mtu.MTU_1024);
            pair.left.tap.forget();
            pair.right.tap.forget();
            expectSilence(pair);
        }
    }
}
