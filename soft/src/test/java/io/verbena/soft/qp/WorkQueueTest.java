package io.verbena.soft.qp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WorkQueueTest {
    private static SoftReceiveRequest receive(long wrId) {
        SoftReceiveRequest request = new SoftReceiveRequest(null, 2);
        request.wrId(wrId).intoAddress(wrId, 10, 1).andAddress(wrId + 1, 20, 2);
        return request;
    }

    @ParameterizedTest
    @CsvSource({"1, 1", "2, 2", "3, 4", "64, 64", "65, 128"})
    void shouldTakeAsManyAsAskedForOrMore(int asked, int given) {
        assertEquals(given, new ReceiveQueue(asked, 1).capacity());
    }

    @Test
    void shouldKeepRequestsApartWhenItGoesRound() {
        ReceiveQueue queue = new ReceiveQueue(4, 2);
        long posted = 0;
        for (int round = 0; round < 1000; round++) {
            while (!queue.isFull()) {
                queue.write(receive(posted++));
            }
            assertEquals(4, queue.tail() - queue.head());
            for (int i = 0; i < 1 + round % 4; i++) {
                long head = queue.head();
                long[] words = queue.words(head);
                int slot = queue.slot(head);
                int buffers = ReceiveQueue.buffersAt(slot);
                assertEquals(head, ReceiveQueue.wrId(words, slot), "first in, first out");
                assertEquals(2, ReceiveQueue.bufferCount(words, slot));
                assertEquals(30, ReceiveQueue.capacityBytes(words, buffers, 2));
                assertEquals(head, words[buffers]);
                assertEquals(head + 1, words[buffers + 2]);
                queue.retire();
            }
        }
        queue.write(receive(posted));
        queue.clear();
        assertTrue(queue.isEmpty());
        assertFalse(queue.isFull());
    }

    @Test
    void shouldKeepTheSlotOfARequestThatReportsUntilItsCompletionIsTaken() {
        ReceiveQueue queue = new ReceiveQueue(2, 2);
        queue.write(receive(0));
        queue.write(receive(1));
        queue.onReported();
        queue.retire();
        assertTrue(queue.isFull(), "one waits, one completion is not taken");
        queue.onTaken();
        assertFalse(queue.isFull());
        queue.retire();
        assertFalse(queue.isFull(), "without a completion the slot is free at once");
        queue.write(receive(2));
        assertFalse(queue.isFull());
    }

    @Test
    void shouldHaveRoomForAllTheOthersWhileARequestIsBeingReported() {
        ReceiveQueue queue = new ReceiveQueue(2, 2);
        queue.write(receive(0));
        queue.onReported();
        assertFalse(queue.isFull(), "one request, one slot");
        queue.write(receive(1));
        assertTrue(queue.isFull());
        queue.onTaken();
        assertFalse(queue.isFull(), "taken before the engine is done with it");
        queue.retire();
        assertFalse(queue.isFull());
        queue.onReported();
        queue.onLost();
        queue.retire();
        queue.write(receive(2));
        assertFalse(queue.isFull(), "a completion that was lost keeps no slot");
    }

    @Test
    void shouldKeepAllPartsOfASendRequest() {
        SendQueue queue = new SendQueue(2, 3, 0);
        SoftSendRequest request = new SoftSendRequest(null, 3);
        request.wrId(-7)
                .writeWithImmediate(Long.MIN_VALUE, 0x8000_0001, -2)
                .fromAddress(1, 1L << 31, -1)
                .signaled()
                .solicited()
                .fenced();
        for (int i = 0; i < 5; i++) {
            queue.write(request);
            long at = queue.head();
            queue.psns(at, 0xFF_FFFF, 3);
            assertEquals(-7, queue.wrId(at));
            assertEquals(io.verbena.verbs.attr.Operation.RDMA_WRITE_WITH_IMMEDIATE, queue.operation(at));
            assertEquals(1L << 31, queue.length(at));
            assertEquals(Long.MIN_VALUE, queue.remoteAddress(at));
            assertEquals(0x8000_0001, queue.rkey(at));
            assertEquals(-2, queue.immediate(at));
            assertEquals(0xFF_FFFF, queue.firstPsn(at));
            assertEquals(3, queue.lastPsn(at));
            assertEquals(1, queue.bufferCount(at));
            assertTrue(queue.has(at, SendQueue.SIGNALED));
            assertTrue(queue.has(at, SendQueue.SOLICITED));
            assertTrue(queue.has(at, SendQueue.FENCED));
            assertFalse(queue.has(at, SendQueue.INLINE));
            queue.retire();
        }
    }

    @Test
    void shouldKeepInlineBytesOfManyRequestsApart() {
        SendQueue queue = new SendQueue(64, 1, 4);
        SoftSendRequest request = new SoftSendRequest(null, 1);
        MemorySegment bytes = MemorySegment.ofArray(new byte[4]);
        for (int lap = 0; lap < 3; lap++) {
            for (int i = 0; i < 64; i++) {
                bytes.set(ValueLayout.JAVA_BYTE, 3, (byte) (lap + i));
                request.wrId(i).send().fromInline(bytes);
                queue.write(request);
            }
            assertTrue(queue.isFull());
            for (int i = 0; i < 64; i++) {
                long at = queue.head();
                assertEquals(i, queue.wrId(at));
                assertTrue(queue.gather(null, at, 3, bytes, 0, 1));
                assertEquals((byte) (lap + i), bytes.get(ValueLayout.JAVA_BYTE, 0));
                queue.retire();
            }
        }
    }
}
