package io.verbena.soft.qp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.soft.engine.Counter;
import io.verbena.soft.rig.SimulatedLocalPair;
import io.verbena.verbs.attr.CompletionStatus;
import io.verbena.verbs.attr.QueuePairState;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// A local peer without progress has the same timeout as one on the network.
@EnabledOnOs(OS.LINUX)
class LocalStandstillTest {
    private static SimulatedLocalPair host(int retries, int timeoutCode) {
        return new SimulatedLocalPair(64 * 1024)
                .sending(rts -> rts.retryCount(retries).timeout(timeoutCode));
    }

    private static long timeoutsNs(int retries, int timeoutCode) {
        long waitedNs = 0;
        for (int timeouts = 0; timeouts <= retries; timeouts++) {
            waitedNs += 4096L << timeoutCode + Math.min(timeouts, 2);
        }
        return waitedNs;
    }

    private static void assertGivesUp(SimulatedLocalPair host, int retries, int timeoutCode, long startNs) {
        assertTrue(host.await(host.left, 1, Duration.ofSeconds(100)));
        assertEquals(timeoutsNs(retries, timeoutCode), host.network.elapsed().toNanos() - startNs, 100_000);
        assertEquals(List.of(CompletionStatus.RETRY_EXCEEDED), host.left.statuses());
        assertEquals(QueuePairState.ERR, host.left.qp.state());
        assertEquals(retries + 1, host.left.counter(Counter.ACK_TIMEOUTS));
        assertEquals(1, host.left.counter(Counter.RETRIES_EXCEEDED));
    }

    @ParameterizedTest
    @CsvSource({"0, 10", "1, 10", "2, 10", "7, 10", "3, 1", "3, 14", "1, 20"})
    void shouldGiveUpAfterTimeoutsThatGrowToFourfold(int retries, int timeoutCode) {
        try (SimulatedLocalPair host = host(retries, timeoutCode).connect()) {
            host.right.receive(9, 0, 100);
            host.right.standStill(true);
            long startNs = host.network.elapsed().toNanos();
            host.left.send(1, 0, 100);
            assertGivesUp(host, retries, timeoutCode, startNs);
            assertEquals(QueuePairState.RTS, host.right.qp.state(), "the peer knows of nothing");
        }
    }

    @ParameterizedTest
    @CsvSource({"0, 10", "3, 10", "1, 16"})
    void shouldGiveUpWhenThePeerNeverConnects(int retries, int timeoutCode) {
        try (SimulatedLocalPair host = host(retries, timeoutCode)) {
            host.connectLeft();
            long startNs = host.network.elapsed().toNanos();
            host.left.send(1, 0, 100);
            assertGivesUp(host, retries, timeoutCode, startNs);
        }
    }

    @Test
    void shouldSucceedWhenThePeerGoesOnInTime() {
        try (SimulatedLocalPair host = host(1, 10).connect()) {
            for (int i = 0; i < 5; i++) {
                host.right.receive(i, 0, 100);
                host.right.standStill(true);
                host.left.send(i, 0, 100);
                host.run(Duration.ofNanos(timeoutsNs(1, 10) - 100_000));
                host.right.standStill(false);
                host.expect(host.left, i + 1);
            }
            assertTrue(host.left.statuses().stream().allMatch(CompletionStatus.SUCCESS::equals));
            assertEquals(5, host.left.counter(Counter.ACK_TIMEOUTS), "tries are counted anew after each progress");
        }
    }

    @Test
    void shouldWaitForEverWhenTheTimeoutIsZero() {
        try (SimulatedLocalPair host = host(0, 0).connect()) {
            host.right.receive(9, 0, 100);
            host.right.standStill(true);
            host.left.send(1, 0, 100);
            host.run(Duration.ofHours(1));
            assertEquals(List.of(), host.left.statuses());
            host.right.standStill(false);
            host.expect(host.left, 1);
            assertEquals(List.of(CompletionStatus.SUCCESS), host.left.statuses());
        }
    }

    @Test
    void shouldNotTimeOutWhenNothingIsOutstanding() {
        try (SimulatedLocalPair host = host(0, 10).connect()) {
            host.right.receive(9, 0, 100);
            host.left.send(1, 0, 100);
            host.expect(host.left, 1);
            host.right.standStill(true);
            host.left.write(2, 0, 100, 0);
            host.expect(host.left, 2);
            host.run(Duration.ofSeconds(10));
            assertEquals(0, host.left.counter(Counter.ACK_TIMEOUTS));
            assertEquals(QueuePairState.RTS, host.left.qp.state());
        }
    }
}
