package io.verbena.soft.shm;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.soft.OverSharedMemory;
import io.verbena.soft.engine.Counter;
import io.verbena.soft.rig.End;
import io.verbena.verbs.QueuePairChange;
import io.verbena.verbs.SendRequest;
import io.verbena.verbs.attr.CompletionStatus;
import io.verbena.verbs.attr.QueuePairState;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Messages of few bytes that leave in the call that posts them, or must not.
@Timeout(60)
@EnabledOnOs(OS.LINUX)
class ShortSendTest implements OverSharedMemory {
    private static final int LONG = 200_000;
    private static final int SHORT_AT = 300_000;

    private final SharedPair pair = OpenPair.open();
    private final End left = pair.left;
    private final End right = pair.right;
    private final int shortBefore = OpenPair.shortMessages(pair, right);

    @AfterEach
    void close() {
        pair.close();
    }

    private int shortMessages() {
        return OpenPair.shortMessages(pair, right) - shortBefore;
    }

    private void expectBoth(int completions) {
        assertTrue(
                pair.driveUntil(
                        () -> left.completions.size() >= completions && right.completions.size() >= completions),
                () -> left.completions + " " + right.completions + " " + left.context.counters());
    }

    @Test
    void shouldLeaveInTheCallThatPostsIt() {
        byte[] message = left.fill(SHORT_AT, 8, 1);
        right.receive(9, 0, 8);
        OpenPair.hold(
                right,
                () -> OpenPair.hold(left, () -> {
                    left.send(1, SHORT_AT, 8);
                    assertEquals(1, shortMessages());
                }));
        expectBoth(1);
        assertEquals(List.of(CompletionStatus.SUCCESS), left.statuses());
        assertArrayEquals(message, right.bytes(0, 8));
    }

    /// The long one has more packets than leave at once, and there is still room in the ring.
    @Test
    void shouldTakeItsTurnBehindAQueuedRequest() {
        byte[] first = left.fill(0, LONG, 2);
        byte[] message = left.fill(SHORT_AT, 8, 1);
        right.receive(8, 0, LONG);
        right.receive(9, SHORT_AT, 8);
        OpenPair.hold(
                right,
                () -> OpenPair.hold(left, () -> {
                    left.send(1, 0, LONG);
                    left.send(2, SHORT_AT, 8);
                    assertEquals(0, shortMessages());
                }));
        expectBoth(2);
        assertEquals(List.of(CompletionStatus.SUCCESS, CompletionStatus.SUCCESS), left.statuses());
        assertEquals(List.of(1L, 2L), left.wrIds());
        assertEquals(List.of(8L, 9L), right.wrIds());
        assertArrayEquals(first, right.bytes(0, LONG));
        assertArrayEquals(message, right.bytes(SHORT_AT, 8));
    }

    @Test
    void shouldWaitInSqd() {
        byte[] message = left.fill(SHORT_AT, 8, 1);
        right.receive(9, 0, 8);
        left.qp.modify(QueuePairChange.to(QueuePairState.SQD));
        OpenPair.hold(left, () -> left.send(1, SHORT_AT, 8));
        OpenPair.pollOften(pair);
        assertEquals(0, shortMessages());
        assertEquals(List.of(), right.wrIds());
        left.qp.modify(QueuePairChange.to(QueuePairState.RTS));
        expectBoth(1);
        assertEquals(List.of(CompletionStatus.SUCCESS), left.statuses());
        assertArrayEquals(message, right.bytes(0, 8));
    }

    /// What is longer than the path MTU of 1024 takes several packets, as on a network.
    @ParameterizedTest
    @CsvSource({"1, 2", "8, 2", "1024, 2", "1025, 0", "2047, 0"})
    void shouldRepeatAShortMessageAfterRnr(int bytes, int shortOnes) {
        byte[] message = left.fill(SHORT_AT, bytes, bytes);
        byte[] next = left.fill(SHORT_AT + bytes, bytes, bytes + 1);
        OpenPair.hold(
                right,
                () -> OpenPair.hold(left, () -> {
                    left.send(1, SHORT_AT, bytes);
                    left.send(2, SHORT_AT + bytes, bytes);
                    assertEquals(shortOnes, shortMessages());
                }));
        assertTrue(pair.driveUntil(() -> left.counter(Counter.RNR_NAKS_RECEIVED) >= 1));
        assertEquals(List.of(), left.wrIds());
        right.receive(8, 0, bytes);
        right.receive(9, bytes, bytes);
        expectBoth(2);
        assertEquals(List.of(CompletionStatus.SUCCESS, CompletionStatus.SUCCESS), left.statuses());
        assertEquals(List.of(8L, 9L), right.wrIds());
        assertEquals(bytes, right.completions.getFirst().byteLength());
        assertArrayEquals(message, right.bytes(0, bytes));
        assertArrayEquals(next, right.bytes(bytes, bytes));
    }

    private void postRefused() {
        SendRequest request = left.request(1).send();
        try (Arena arena = Arena.ofShared()) {
            request.fromInline(arena.allocate(8).fill((byte) 7));
        }
        OpenPair.hold(left, () -> assertThrows(IllegalStateException.class, () -> left.post(request)));
    }

    @Test
    void shouldNotDeliverWhatPostRefused() {
        right.receive(9, 0, 8);
        long messages = left.counter(Counter.SHARED_MESSAGES);
        postRefused();
        OpenPair.pollOften(pair);
        assertEquals(0, shortMessages());
        assertEquals(messages, left.counter(Counter.SHARED_MESSAGES));
        assertEquals(List.of(), right.wrIds());
        assertEquals(List.of(), left.wrIds());
        assertEquals(QueuePairState.RTS, left.qp.state());
    }

    @Test
    void shouldDeliverTheNextMessageAfterOneWasRefused() {
        right.receive(9, 0, 8);
        postRefused();
        MemorySegment bytes = Arena.ofAuto().allocate(8);
        bytes.set(ValueLayout.JAVA_LONG, 0, 4711);
        OpenPair.hold(left, () -> left.post(left.request(2).send().fromInline(bytes)));
        expectBoth(1);
        assertEquals(List.of(2L), left.wrIds());
        assertEquals(List.of(CompletionStatus.SUCCESS), left.statuses());
        assertEquals(List.of(9L), right.wrIds());
        assertEquals(4711, right.word(0));
        assertEquals(1, shortMessages());
    }
}
