package io.verbena.soft.cq;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.verbs.attr.CompletionOpcode;
import io.verbena.verbs.attr.CompletionStatus;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class CompletionRingTest {
    private final CompletionView view = new CompletionView();

    @ParameterizedTest
    @CsvSource({"1, 1", "2, 2", "3, 4", "4, 4", "5, 8", "1000, 1024", "1024, 1024"})
    void shouldHoldAsManyAsAskedForOrMore(int asked, int given) {
        assertEquals(given, new CompletionRing(asked, true).capacity());
    }

    @Test
    void shouldRefuseWhenFullAndGoRoundForEver() {
        CompletionRing ring = new CompletionRing(4, true);
        long in = 0;
        long out = 0;
        for (int round = 0; round < 1000; round++) {
            while (ring.offer(() -> {}, in, 0, 0, 0, 0)) {
                in++;
            }
            assertEquals(4, in - out);
            for (int i = round % 5; i > 0 && ring.take(view); i--) {
                assertEquals(out++, view.wrId());
            }
        }
        while (ring.take(view)) {
            assertEquals(out++, view.wrId());
        }
        assertEquals(in, out);
        assertTrue(ring.isEmpty());
        assertFalse(ring.take(view));
    }

    @ParameterizedTest
    @EnumSource(CompletionStatus.class)
    void shouldKeepEveryFieldOfACompletion(CompletionStatus status) {
        CompletionRing ring = new CompletionRing(1, true);
        for (CompletionOpcode opcode : CompletionOpcode.values()) {
            long kind = CompletionView.kind(status, opcode, CompletionView.IMMEDIATE, 0xDEAD_BEEF);
            ring.offer(() -> {}, -1, kind, 1L << 31, CompletionView.numbers(0xFF_FFFE, 0xABCDEF), 0x8000_0001);
            assertTrue(ring.take(view));
            assertEquals(-1, view.wrId());
            assertEquals(status, view.status());
            assertEquals(opcode, view.opcode());
            assertEquals(1L << 31, view.byteLength());
            assertEquals(0xFF_FFFE, view.qpNumber());
            assertEquals(0xABCDEF, view.sourceQp());
            assertTrue(view.hasImmediate());
            assertFalse(view.hasInvalidatedKey());
            assertEquals(0x8000_0001, view.immediate());
            assertEquals(0xDEAD_BEEF, view.vendorError());
        }
    }

    @Test
    void shouldHandOverBetweenTwoThreadsInOrder() throws Exception {
        int count = 200_000;
        CompletionRing ring = new CompletionRing(64, true);
        CompletableFuture<Void> producer = CompletableFuture.runAsync(
                () -> {
                    for (long i = 0; i < count; i++) {
                        while (!ring.offer(() -> {}, i, i, i, i, i)) {
                            Thread.onSpinWait();
                        }
                    }
                },
                task -> Thread.ofPlatform().start(task));
        long next = 0;
        while (next < count && !producer.isCompletedExceptionally()) {
            if (ring.take(view)) {
                assertEquals(next, view.wrId());
                assertEquals(next, view.byteLength());
                next++;
            }
        }
        producer.get(10, TimeUnit.SECONDS);
    }
}
