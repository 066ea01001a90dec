package io.verbena.rdmacore.cq;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.rdmacore.rig.AllocatedBytes;
import io.verbena.rdmacore.rig.FakeDriver;
import io.verbena.verbs.WorkCompletion;
import io.verbena.verbs.WorkCompletionHandler;
import io.verbena.verbs.attr.CompletionOpcode;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class PollTest {
    private final FakeDriver driver = new FakeDriver();
    private final NativeCompletionQueue queue = new NativeCompletionQueue(null, null, driver.cq());
    private final List<Long> seen = new ArrayList<>();

    @AfterEach
    void close() {
        driver.close();
    }

    @Test
    void shouldHandOutCompletionsOfOneCall() {
        driver.completions = 3;
        assertEquals(2, queue.poll(c -> seen.add(c.wrId()), 2));
        assertEquals(1, driver.calls);
        assertEquals(1, queue.poll(c -> seen.add(c.wrId()), 2));
        assertEquals(2, driver.calls, "fewer than asked for: the queue was empty, no need to ask again");
        assertEquals(0, queue.poll(c -> seen.add(c.wrId()), 2));
        assertEquals(List.of(1L, 2L, 3L), seen);
    }

    @Test
    void shouldCallAgainWhenMoreIsAskedForThanOneCallGives() {
        driver.completions = 3 * NativeCompletionQueue.BATCH;
        int limit = 2 * NativeCompletionQueue.BATCH + 1;
        assertEquals(limit, queue.poll(c -> seen.add(c.wrId()), limit));
        assertEquals(3, driver.calls);
        assertEquals(limit, seen.size());
        assertEquals(limit, seen.getLast());
    }

    @Test
    void shouldReadTheStruct() {
        driver.completions = 1;
        WorkCompletion[] copy = {null};
        queue.datagrams().add(0x11);
        queue.poll(c -> copy[0] = c.copy(), 1);
        assertTrue(copy[0].isSuccess());
        assertEquals(CompletionOpcode.RECEIVE_RDMA_WITH_IMMEDIATE, copy[0].opcode());
        assertEquals(0xFFFF_FFFFL, copy[0].byteLength());
        assertTrue(copy[0].hasImmediate());
        assertEquals(0x0102_0304, copy[0].immediate());
        assertFalse(copy[0].hasInvalidatedKey());
        assertEquals(0x11, copy[0].qpNumber());
        assertTrue(copy[0].hasGrh());
    }

    @Test
    void shouldShowNoGrhOnAConnection() {
        driver.completions = 1;
        queue.poll(c -> assertFalse(c.hasGrh()), 1);
    }

    @Test
    void shouldShowNoImmediateToTheSender() {
        driver.completions = 1;
        driver.opcode = CompletionOpcode.SEND.code();
        queue.poll(
                c -> {
                    assertFalse(c.hasImmediate());
                    assertEquals(0, c.immediate());
                },
                1);
    }

    @Test
    void shouldKeepTheOrderWhenAHandlerPolls() {
        driver.completions = 5;
        WorkCompletionHandler inner = c -> seen.add(c.wrId());
        int taken = queue.poll(
                c -> {
                    seen.add(c.wrId());
                    if (seen.size() == 1) {
                        assertEquals(2, queue.poll(inner, 2));
                    }
                },
                3);
        assertEquals(3, taken);
        assertEquals(List.of(1L, 2L, 3L, 4L, 5L), seen);
    }

    @Test
    void shouldKeepWhatAThrowingHandlerLeft() {
        driver.completions = 3;
        assertThrows(
                IllegalStateException.class,
                () -> queue.poll(
                        c -> {
                            seen.add(c.wrId());
                            throw new IllegalStateException();
                        },
                        3));
        assertEquals(2, queue.poll(c -> seen.add(c.wrId()), 8));
        assertEquals(List.of(1L, 2L, 3L), seen);
    }

    @Test
    void shouldAllocateNothingWhenPolling() {
        long[] sum = {0};
        WorkCompletionHandler handler =
                c -> sum[0] += c.wrId() + c.opcode().code() + c.status().ordinal();
        run(handler, 100_000);
        long before = AllocatedBytes.now();
        run(handler, 50_000);
        assertEquals(0, (AllocatedBytes.now() - before) / 50_000);
    }

    @Test
    void shouldAllocateNothingWhenArming() {
        arm(100_000);
        long before = AllocatedBytes.now();
        arm(50_000);
        assertEquals(0, (AllocatedBytes.now() - before) / 50_000);
        assertEquals(150_000, driver.calls);
    }

    private void arm(int rounds) {
        for (int i = 0; i < rounds; i++) {
            queue.arm(false);
        }
    }

    private void run(WorkCompletionHandler handler, int rounds) {
        for (int i = 0; i < rounds; i++) {
            driver.completions = 2;
            queue.poll(handler, 4);
        }
    }
}
