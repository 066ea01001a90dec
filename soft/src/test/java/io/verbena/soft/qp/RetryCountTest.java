package io.verbena.soft.qp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.roce.packet.Opcode;
import io.verbena.soft.engine.Counter;
import io.verbena.soft.rig.SimulatedPair;
import io.verbena.verbs.attr.CompletionStatus;
import io.verbena.verbs.attr.Mtu;
import io.verbena.verbs.attr.QueuePairState;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// How long a requester waits for a silent peer.
class RetryCountTest {
    private static final int TIMEOUT_CODE = 10;
    private static final long TIMEOUT_NS = 4096L << TIMEOUT_CODE;

    private static SimulatedPair pair(int retries, int timeoutCode) {
        return new SimulatedPair(1, 64 * 1024)
                .sending(rts -> rts.retryCount(retries).timeout(timeoutCode))
                .connect(Mtu.MTU_1024);
    }

    @ParameterizedTest
    @CsvSource({"0, 10", "1, 10", "2, 10", "6, 10", "7, 10", "3, 1", "3, 14", "1, 20"})
    void shouldGiveUpAfterTimeoutsThatGrowToFourfold(int retries, int timeoutCode) {
        try (SimulatedPair pair = pair(retries, timeoutCode)) {
            pair.left.tap.loseEverything();
            pair.left.write(1, 0, 100, 0);
            assertTrue(pair.await(pair.left, 1, Duration.ofSeconds(100)));
            long waitedNs = 0;
            for (int timeouts = 0; timeouts <= retries; timeouts++) {
                waitedNs += 4096L << timeoutCode + Math.min(timeouts, 2);
            }
            assertEquals(waitedNs, pair.fabric.elapsed().toNanos(), 100_000);
            assertEquals(List.of(CompletionStatus.RETRY_EXCEEDED), pair.left.statuses());
            assertEquals(QueuePairState.ERR, pair.left.qp.state());
            assertEquals(retries + 1, pair.left.tap.frames().size());
            assertEquals(retries + 1, pair.left.counter(Counter.ACK_TIMEOUTS));
            assertEquals(1, pair.left.counter(Counter.RETRIES_EXCEEDED));
            assertEquals(QueuePairState.RTS, pair.right.qp.state(), "the peer knows of nothing");
        }
    }

    @Test
    void shouldWaitForEverWhenTheTimeoutIsZero() {
        try (SimulatedPair pair = pair(0, 0)) {
            pair.left.tap.lose(1, Opcode.RC_RDMA_WRITE_ONLY);
            pair.left.write(1, 0, 100, 0);
            pair.run(Duration.ofDays(1));
            assertEquals(List.of(), pair.left.completions);
            assertEquals(0, pair.left.counter(Counter.ACK_TIMEOUTS));
            // The next message reveals the gap, but that costs a retry, and there is none.
            pair.left.write(2, 0, 100, 0);
            pair.expect(pair.left, 2);
            assertEquals(
                    List.of(CompletionStatus.RETRY_EXCEEDED, CompletionStatus.WORK_REQUEST_FLUSHED),
                    pair.left.statuses());
        }
    }

    @Test
    void shouldCountTriesAnewAfterEachProgress() {
        try (SimulatedPair pair = pair(1, TIMEOUT_CODE)) {
            for (int i = 0; i < 10; i++) {
                pair.left.tap.lose(1, Opcode.RC_RDMA_WRITE_ONLY);
                pair.left.write(i, 0, 100, 0);
                pair.expect(pair.left, i + 1);
            }
            assertTrue(pair.left.statuses().stream().allMatch(CompletionStatus.SUCCESS::equals));
            assertEquals(10, pair.left.counter(Counter.ACK_TIMEOUTS));
        }
    }

    @Test
    void shouldStartTheTimerAnewWithEachAcknowledgement() {
        try (SimulatedPair pair = pair(0, TIMEOUT_CODE)) {
            // Each answer takes most of a timeout; together they take many.
            pair.fabric.latency(Duration.ofNanos(TIMEOUT_NS * 45 / 100));
            for (int i = 0; i < 20; i++) {
                pair.left.write(i, 0, 100, 0);
                pair.expect(pair.left, i + 1);
            }
            assertEquals(0, pair.left.counter(Counter.ACK_TIMEOUTS));
        }
    }

    @Test
    void shouldNotTimeOutWhenNothingIsOutstanding() {
        try (SimulatedPair pair = pair(0, TIMEOUT_CODE)) {
            pair.left.write(1, 0, 100, 0);
            pair.expect(pair.left, 1);
            pair.run(Duration.ofSeconds(10));
            assertEquals(0, pair.left.counter(Counter.ACK_TIMEOUTS));
            assertEquals(QueuePairState.RTS, pair.left.qp.state());
        }
    }
}
