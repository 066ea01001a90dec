package io.verbena.soft.qp;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
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
import org.junit.jupiter.params.provider.ValueSource;

/// Over the local path a message without a posted receive stays in the lane, and each retry counts as an attempt.
@EnabledOnOs(OS.LINUX)
class LocalReceiverNotReadyTest {
    private static SimulatedLocalPair host(int timerCode, int rnrRetries) {
        return new SimulatedLocalPair(128 * 1024)
                .receiving(rtr -> rtr.minRnrTimer(timerCode))
                .sending(rts -> rts.rnrRetry(rnrRetries).retryCount(0))
                .connect();
    }

    private static void awaitRnrNaks(SimulatedLocalPair host, long count) {
        assertTrue(
                host.network.runUntil(() -> host.left.counter(Counter.RNR_NAKS_RECEIVED) >= count, 100_000_000_000L));
    }

    private static long elapsedNs(SimulatedLocalPair host) {
        return host.network.elapsed().toNanos();
    }

    @ParameterizedTest
    @CsvSource({"0, 655360", "1, 10", "12, 640", "20, 10240", "31, 491520"})
    void shouldWaitAsLongAsTheReceiverSays(int timerCode, long microseconds) {
        try (SimulatedLocalPair host = host(timerCode, 7)) {
            byte[] message = host.left.fill(0, 50, 1);
            host.left.send(1, 0, 50);
            awaitRnrNaks(host, 1);
            long startNs = elapsedNs(host);
            host.right.receive(9, 0, 50);
            host.expect(host.left, 1);
            assertEquals(microseconds * 1000, elapsedNs(host) - startNs, 1000);
            assertEquals(List.of(CompletionStatus.SUCCESS), host.left.statuses());
            assertEquals(List.of(9L), host.right.wrIds());
            assertArrayEquals(message, host.right.bytes(0, 50));
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 6})
    void shouldNeverDeliverAMessageWhoseRetriesAreUsedUp(int retries) {
        try (SimulatedLocalPair host = host(12, retries)) {
            host.left.fill(0, 50, 1);
            long startNs = elapsedNs(host);
            host.left.send(1, 0, 50);
            host.left.send(2, 0, 50);
            host.expect(host.left, 2);
            assertEquals(retries * 640_000L, elapsedNs(host) - startNs, 1000);
            assertEquals(
                    List.of(CompletionStatus.RNR_RETRY_EXCEEDED, CompletionStatus.WORK_REQUEST_FLUSHED),
                    host.left.statuses());
            assertEquals(retries + 1, host.right.counter(Counter.RNR_NAKS_SENT));
            assertEquals(retries + 1, host.left.counter(Counter.RNR_NAKS_RECEIVED));
            assertEquals(QueuePairState.ERR, host.left.qp.state());
            host.right.receive(9, 0, 50);
            host.run(Duration.ofSeconds(1));
            assertEquals(List.of(), host.right.statuses());
            assertArrayEquals(new byte[50], host.right.bytes(0, 50));
            assertEquals(QueuePairState.RTS, host.right.qp.state(), "waiting is no error of the receiver");
        }
    }

    @Test
    void shouldTryForEverWhenTheRetryCountIsSeven() {
        try (SimulatedLocalPair host = host(12, 7)) {
            host.left.send(1, 0, 50);
            awaitRnrNaks(host, 1000);
            assertEquals(List.of(), host.left.statuses());
            host.right.receive(9, 0, 50);
            host.expect(host.left, 1);
            assertEquals(List.of(CompletionStatus.SUCCESS), host.left.statuses());
        }
    }

    @Test
    void shouldCountRetriesAnewAfterEachMessage() {
        try (SimulatedLocalPair host = host(12, 1)) {
            for (int i = 0; i < 5; i++) {
                host.left.send(i, 0, 50);
                awaitRnrNaks(host, i + 1);
                host.right.receive(i, 0, 50);
                host.expect(host.left, i + 1);
            }
            assertTrue(host.left.statuses().stream().allMatch(CompletionStatus.SUCCESS::equals));
        }
    }

    @Test
    void shouldPlaceTheDataBeforeAWriteWithImmediateFindsNoReceive() {
        try (SimulatedLocalPair host = host(12, 7)) {
            byte[] message = host.left.fill(0, 50_000, 2);
            host.left.post(host.left
                    .request(1)
                    .writeWithImmediate(host.right.memory.address(), host.right.memory.rkey(), 0xCAFE)
                    .from(host.left.memory, 0, 50_000));
            awaitRnrNaks(host, 3);
            assertArrayEquals(message, host.right.bytes(0, 50_000));
            host.right.receive(9, 0, 50);
            host.expect(host.left, 1);
            assertEquals(List.of(CompletionStatus.SUCCESS), host.left.statuses());
            assertEquals(List.of(9L), host.right.wrIds());
        }
    }
}
