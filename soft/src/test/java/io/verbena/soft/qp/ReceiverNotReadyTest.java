package io.verbena.soft.qp;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.roce.packet.Opcode;
import io.verbena.roce.packet.Syndrome;
import io.verbena.soft.engine.Counter;
import io.verbena.soft.rig.SimulatedPair;
import io.verbena.soft.rig.Tap;
import io.verbena.verbs.attr.CompletionOpcode;
import io.verbena.verbs.attr.CompletionStatus;
import io.verbena.verbs.attr.Mtu;
import io.verbena.verbs.attr.QueuePairState;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// A message without a posted receive waits for the receiver's RNR timer, as often as the sender's RNR retry count.
class ReceiverNotReadyTest {
    private static final int MTU = 256;
    /// A round trip of the simulated network, and a little more.
    private static final long ROUND_TRIP_NS = 20_000;

    private static SimulatedPair pair(int timerCode, int rnrRetries) {
        return new SimulatedPair(1, 128 * 1024)
                .receiving(rtr -> rtr.minRnrTimer(timerCode))
                .sending(rts -> rts.rnrRetry(rnrRetries).retryCount(0))
                .connect(Mtu.MTU_256);
    }

    private static boolean isRnrNak(Tap.Frame frame) {
        return frame.is(Opcode.RC_ACKNOWLEDGE) && Syndrome.isRnrNak(frame.syndrome());
    }

    private static void awaitRnrNaks(SimulatedPair pair, long count) {
        assertTrue(pair.fabric.runUntil(
                () -> pair.left.counter(Counter.RNR_NAKS_RECEIVED) >= count, Duration.ofSeconds(100)));
    }

    /// The table of the specification, in microseconds.
    @ParameterizedTest
    @CsvSource({
        "0, 655360", "1, 10", "2, 20", "3, 30", "4, 40", "5, 60", "6, 80", "7, 120",
        "8, 160", "9, 240", "10, 320", "11, 480", "12, 640", "13, 960", "14, 1280", "15, 1920",
        "16, 2560", "17, 3840", "18, 5120", "19, 7680", "20, 10240", "21, 15360", "22, 20480", "23, 30720",
        "24, 40960", "25, 61440", "26, 81920", "27, 122880", "28, 163840", "29, 245760", "30, 327680", "31, 491520"
    })
    void shouldWaitAsLongAsTheReceiverSays(int timerCode, long microseconds) {
        try (SimulatedPair pair = pair(timerCode, 7)) {
            byte[] message = pair.left.fill(0, 50, 1);
            pair.left.send(1, 0, 50);
            awaitRnrNaks(pair, 1);
            pair.right.receive(9, 0, 50);
            pair.expect(pair.left, 1);
            assertEquals(List.of(CompletionStatus.SUCCESS), pair.left.statuses());
            assertArrayEquals(message, pair.right.bytes(0, 50));
            List<Tap.Frame> sends = pair.left.tap.frames(Opcode.RC_SEND_ONLY);
            assertEquals(2, sends.size());
            long betweenNs = sends.get(1).at().minus(sends.get(0).at()).toNanos();
            assertTrue(betweenNs >= microseconds * 1000, "resent after " + betweenNs);
            assertTrue(betweenNs < microseconds * 1000 + ROUND_TRIP_NS, "resent after " + betweenNs);
            assertEquals(0x20 | timerCode, pair.right.tap.frames().getFirst().syndrome());
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3, 4, 5, 6})
    void shouldGiveUpAfterTheRetriesAreUsedUp(int retries) {
        try (SimulatedPair pair = pair(12, retries)) {
            pair.left.send(1, 0, 50);
            pair.expect(pair.left, 1);
            assertEquals(List.of(CompletionStatus.RNR_RETRY_EXCEEDED), pair.left.statuses());
            assertEquals(retries + 1, pair.right.counter(Counter.RNR_NAKS_SENT));
            assertEquals(retries + 1, pair.left.counter(Counter.RNR_NAKS_RECEIVED));
            assertEquals(QueuePairState.ERR, pair.left.qp.state());
            assertEquals(QueuePairState.RTS, pair.right.qp.state(), "waiting is no error of the receiver");
        }
    }

    @Test
    void shouldTryForEverWhenTheRetryCountIsSeven() {
        try (SimulatedPair pair = pair(12, 7)) {
            pair.left.send(1, 0, 50);
            awaitRnrNaks(pair, 1000);
            assertEquals(List.of(), pair.left.completions);
            pair.right.receive(9, 0, 50);
            pair.expect(pair.left, 1);
            assertEquals(List.of(CompletionStatus.SUCCESS), pair.left.statuses());
        }
    }

    @Test
    void shouldCountRetriesAnewAfterEachMessage() {
        try (SimulatedPair pair = pair(12, 1)) {
            for (int i = 0; i < 5; i++) {
                pair.left.send(i, 0, 50);
                awaitRnrNaks(pair, i + 1);
                pair.right.receive(i, 0, 50);
                pair.expect(pair.left, i + 1);
            }
            assertTrue(pair.left.statuses().stream().allMatch(CompletionStatus.SUCCESS::equals));
        }
    }

    @Test
    void shouldPlaceTheDataBeforeAWriteWithImmediateFindsNoReceive() {
        try (SimulatedPair pair = pair(12, 7)) {
            int length = 10 * MTU + 10;
            byte[] message = pair.left.fill(0, length, 2);
            pair.left.post(pair.left
                    .request(1)
                    .writeWithImmediate(pair.right.memory.address(), pair.right.memory.rkey(), 0xCAFE)
                    .from(pair.left.memory, 0, length));
            awaitRnrNaks(pair, 3);
            assertArrayEquals(java.util.Arrays.copyOf(message, 10 * MTU), pair.right.bytes(0, 10 * MTU));
            assertArrayEquals(new byte[10], pair.right.bytes(10 * MTU, 10), "the last packet was not taken yet");
            assertEquals(
                    3,
                    pair.left.tap.count(Opcode.RC_RDMA_WRITE_LAST_WITH_IMMEDIATE),
                    "only the last packet is sent again");
            assertEquals(1, pair.left.tap.count(Opcode.RC_RDMA_WRITE_FIRST));
            pair.right.receive(9, 64 * 1024, 0);
            pair.expect(pair.left, 1);
            pair.expect(pair.right, 1);
            assertArrayEquals(message, pair.right.bytes(0, length));
            var received = pair.right.completions.getFirst();
            assertEquals(CompletionOpcode.RECEIVE_RDMA_WITH_IMMEDIATE, received.opcode());
            assertEquals(0xCAFE, received.immediate());
            assertEquals(length, received.byteLength());
        }
    }

    /// With no retry for anything else: only the receiver's wait may be seen.
    @Test
    void shouldOnlyTellToWaitWhenMoreMessagesFollow() {
        try (SimulatedPair pair = pair(12, 7)) {
            for (int i = 0; i < 8; i++) {
                pair.left.send(i, 0, 50);
            }
            awaitRnrNaks(pair, 1);
            assertEquals(0, pair.right.counter(Counter.SEQUENCE_NAKS_SENT), "what follows is no gap of its own");
            for (int i = 0; i < 8; i++) {
                pair.right.receive(i, 100 * i, 50);
            }
            pair.expect(pair.left, 8);
            assertEquals(List.of(0L, 1L, 2L, 3L, 4L, 5L, 6L, 7L), pair.right.wrIds());
            assertTrue(pair.left.statuses().stream().allMatch(CompletionStatus.SUCCESS::equals));
            assertTrue(pair.right.tap.frames().stream().anyMatch(ReceiverNotReadyTest::isRnrNak));
        }
    }

    @Test
    void shouldCompleteWhatCameBeforeTheMessageThatWaits() {
        try (SimulatedPair pair = pair(20, 7)) {
            pair.right.receive(1, 0, 50);
            pair.left.send(1, 0, 50);
            pair.left.send(2, 0, 50);
            awaitRnrNaks(pair, 1);
            assertEquals(List.of(1L), pair.left.wrIds(), "a NAK acknowledges all before it");
        }
    }

    @Test
    void shouldNotTimeOutWhileItWaitsForTheReceiver() {
        SimulatedPair pair = new SimulatedPair(1, 4096)
                .receiving(rtr -> rtr.minRnrTimer(0))
                .sending(rts -> rts.timeout(1).retryCount(1))
                .connect(Mtu.MTU_256);
        try (pair) {
            pair.fabric.latency(Duration.ofNanos(100));
            pair.left.send(1, 0, 50);
            pair.run(Duration.ofMillis(600));
            assertEquals(0, pair.left.counter(Counter.ACK_TIMEOUTS));
            pair.right.receive(1, 0, 50);
            pair.expect(pair.left, 1);
            assertEquals(List.of(CompletionStatus.SUCCESS), pair.left.statuses());
        }
    }
}
