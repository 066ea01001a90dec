package io.verbena.soft;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.soft.net.AllocatedBytes;
import io.verbena.soft.rig.ConnectionEnd;
import io.verbena.soft.rig.LoopbackPair;
import io.verbena.verbs.ReceiveRequest;
import io.verbena.verbs.SendRequest;
import io.verbena.verbs.WorkCompletionHandler;
import io.verbena.verbs.attr.CompletionStatus;
import org.junit.jupiter.api.Test;

/// Posting and polling allocate nothing, over a million operations on real sockets.
class AllocationTest {
    private static final int BYTES = 64;
    private static final int WARM_UP = 50_000;
    private static final int OPERATIONS = 1_000_000;
    /// So that a single late class or growing array does not fail the test, and one byte per twenty operations does.
    private static final double MOST_BYTES_PER_OPERATION = 0.05;

    /// Counts completions; made once.
    private static final class Count implements WorkCompletionHandler {
        long done;
        long failed;

        @Override
        public void onCompletion(io.verbena.verbs.WorkCompletion completion) {
            done++;
            failed += completion.status() == CompletionStatus.SUCCESS ? 0 : 1;
        }
    }

    /// One side of the ping-pong.
    private static final class Player {
        final ConnectionEnd end;
        final SendRequest send;
        final ReceiveRequest receive;
        final Count count = new Count();

        Player(ConnectionEnd end) {
            this.end = end;
            this.send = end.qp.newSendRequest().send().from(end.memory, 0, BYTES);
            this.receive = end.qp.newReceiveRequest().into(end.memory, 4096, BYTES);
        }

        void pollUntil(long done) {
            while (count.done < done) {
                end.cq.poll(count, 16);
            }
        }
    }

    private static void assertNoGarbage(Runnable warmUp, Runnable measured, long operations) {
        warmUp.run();
        long before = AllocatedBytes.now();
        measured.run();
        long allocated = AllocatedBytes.now() - before;
        assertTrue(
                allocated < operations * MOST_BYTES_PER_OPERATION,
                () -> "%d bytes in %d operations".formatted(allocated, operations));
    }

    /// One thread plays both sides, so it runs both engines.
    private static void pingPong(Player left, Player right, int rounds) {
        for (int i = 0; i < rounds; i++) {
            long leftDone = left.count.done;
            long rightDone = right.count.done;
            left.end.qp.post(left.receive);
            right.end.qp.post(right.receive);
            left.end.qp.post(left.send);
            right.pollUntil(rightDone + 1);
            right.end.qp.post(right.send);
            left.pollUntil(leftDone + 1);
        }
    }

    @Test
    void shouldPlayPingPongWithoutGarbage() {
        try (LoopbackPair pair = new LoopbackPair(8192)) {
            Player left = new Player(pair.left);
            Player right = new Player(pair.right);
            assertNoGarbage(
                    () -> pingPong(left, right, WARM_UP), () -> pingPong(left, right, OPERATIONS / 4), OPERATIONS);
            assertTrue(left.count.failed + right.count.failed == 0);
        }
    }

    /// Polls the peer too, so that this thread runs both engines.
    private static void write(LoopbackPair pair, SendRequest request, Count count, int writes) {
        long target = count.done + writes;
        int posted = 0;
        while (count.done < target) {
            while (posted < writes && pair.left.qp.post(request)) {
                posted++;
            }
            pair.right.cq.poll(count, 32);
            pair.left.cq.poll(count, 32);
        }
    }

    /// Fewer operations than the others, so what the compiler leaves behind weighs more; one object for each
    /// would still be sixteen times as much.
    @Test
    void shouldAddToRemoteWordsWithoutGarbage() {
        try (LoopbackPair pair = new LoopbackPair(8192)) {
            Count count = new Count();
            SendRequest request = pair.left
                    .qp
                    .newSendRequest()
                    .fetchAndAdd(pair.right.memory.address(), pair.right.memory.rkey(), 1)
                    .into(pair.left.memory, 0, 8)
                    .signaled();
            write(pair, request, count, WARM_UP);
            long before = AllocatedBytes.now();
            write(pair, request, count, WARM_UP);
            long allocated = AllocatedBytes.now() - before;
            assertTrue(allocated < WARM_UP, () -> "%d bytes in %d operations".formatted(allocated, WARM_UP));
            assertTrue(count.failed == 0);
            assertTrue(pair.right.word(0) == 2 * WARM_UP);
        }
    }

    @Test
    void shouldWriteWithoutGarbage() {
        try (LoopbackPair pair = new LoopbackPair(8192)) {
            Count count = new Count();
            SendRequest request = pair.left
                    .qp
                    .newSendRequest()
                    .write(pair.right.memory.remote())
                    .from(pair.left.memory, 0, BYTES)
                    .signaled();
            assertNoGarbage(
                    () -> write(pair, request, count, WARM_UP),
                    () -> write(pair, request, count, OPERATIONS),
                    OPERATIONS);
            assertTrue(count.failed == 0);
        }
    }
}
