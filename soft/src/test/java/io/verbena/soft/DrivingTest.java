package io.verbena.soft;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.soft.os.NanoClock;
import io.verbena.soft.rig.ConnectionEnd;
import io.verbena.soft.rig.LoopbackPair;
import io.verbena.soft.wait.Waiter;
import io.verbena.verbs.CompletionChannel;
import io.verbena.verbs.CompletionQueue;
import io.verbena.verbs.Errno;
import io.verbena.verbs.Poller;
import io.verbena.verbs.RdmaException;
import io.verbena.verbs.attr.CompletionStatus;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Which thread runs an engine: the program's when it polls or waits, else the device's.
class DrivingTest {
    private static final Duration LONG = Duration.ofSeconds(30);
    private static final int LONG_SECONDS = 30;

    private final LoopbackPair pair = new LoopbackPair(1 << 20);
    private final ConnectionEnd left = pair.left;
    private final ConnectionEnd right = pair.right;

    @AfterEach
    void close() {
        pair.close();
    }

    /// Runs something on a thread of the kind.
    private static <T> CompletableFuture<T> on(boolean virtual, Supplier<T> task) {
        return on(virtual, task, new Thread[1]);
    }

    private static <T> CompletableFuture<T> on(boolean virtual, Supplier<T> task, Thread[] started) {
        CompletableFuture<T> result = new CompletableFuture<>();
        Runnable run = () -> {
            try {
                result.complete(task.get());
            } catch (RuntimeException | AssertionError e) {
                result.completeExceptionally(e);
            }
        };
        started[0] =
                virtual ? Thread.ofVirtual().start(run) : Thread.ofPlatform().start(run);
        return result;
    }

    private static Errno errnoOf(CompletableFuture<?> failing) {
        ExecutionException failed =
                assertThrows(ExecutionException.class, () -> failing.get(LONG_SECONDS, TimeUnit.SECONDS));
        return ((RdmaException) failed.getCause()).errno();
    }

    /// Arms, polls until empty, waits: the way programs wait.
    private static void awaitCompletion(ConnectionEnd end) {
        end.cq.arm();
        while (end.poll() == 0) {
            CompletionQueue fired = end.channel.await(LONG);
            assertSame(end.cq, fired);
            end.cq.arm();
        }
    }

    /// Until the thread is where waiting threads are: asleep on the socket, or parked.
    private static void awaitThatItWaits(Thread thread) {
        long start = NanoClock.SYSTEM.nowNs();
        while (Arrays.stream(thread.getStackTrace())
                .noneMatch(frame -> frame.getClassName().equals(Waiter.class.getName())
                        && (frame.getMethodName().equals("sleepOn")
                                || frame.getMethodName().equals("park")))) {
            assertTrue(thread.isAlive(), "it did not wait");
            assertTrue(NanoClock.SYSTEM.nowNs() - start < LONG.toNanos(), "it never waits");
            Thread.onSpinWait();
        }
    }

    @Test
    void shouldMakeProgressWhenOneThreadPollsTwoDevices() {
        for (int i = 0; i < 1000; i++) {
            right.receive(i, 0, 64);
            left.send(i, 0, 64);
            pair.expect(left, i + 1);
            pair.expect(right, i + 1);
        }
    }

    @Test
    void shouldLetOtherVirtualThreadsRunWhileAsManySpinAsThereAreProcessors() throws Exception {
        int spinners = Runtime.getRuntime().availableProcessors() + 1;
        var spinning = new CountDownLatch(spinners);
        List<CompletableFuture<Integer>> polls = new ArrayList<>();
        for (int i = 0; i < spinners; i++) {
            polls.add(on(true, () -> {
                spinning.countDown();
                return right.cq.poll(completion -> {}, 1, LONG);
            }));
        }
        assertTrue(spinning.await(LONG_SECONDS, TimeUnit.SECONDS), "the last one never got a processor");
        // what they wait for needs a processor, too
        on(true, () -> {
            for (int i = 0; i < spinners; i++) {
                right.receive(i, 0, 64);
                left.send(i, 0, 64);
            }
            return true;
        });
        for (CompletableFuture<Integer> poll : polls) {
            assertEquals(1, poll.get(LONG_SECONDS, TimeUnit.SECONDS));
        }
    }

    @Test
    void shouldServeThePeerWhileTheProgramDoesSomethingElse() {
        byte[] there = right.fill(0, 300_000, 1);
        byte[] here = left.fill(0, 300_000, 2);
        left.read(1, 0, 300_000, 500_000);
        left.write(2, 0, 300_000, 500_000);
        assertEquals(
                2, left.cq.poll(completion -> assertEquals(CompletionStatus.SUCCESS, completion.status()), 2, LONG));
        assertArrayEquals(there, left.bytes(500_000, 300_000));
        assertArrayEquals(here, right.bytes(500_000, 300_000));
    }

    @Test
    void shouldFinishWhatWasPostedWhenNobodyPolls() {
        byte[] here = left.fill(0, 1 << 20, 3);
        right.memory.memory().fill((byte) 0);
        left.write(1, 0, 1 << 20, 0);
        long start = NanoClock.SYSTEM.nowNs();
        var target = right.memory.memory();
        while (target.mismatch(left.memory.memory()) != -1 && NanoClock.SYSTEM.nowNs() - start < LONG.toNanos()) {
            Thread.onSpinWait();
        }
        assertArrayEquals(here, right.bytes(0, 1 << 20));
    }

    @ParameterizedTest(name = "virtual {0}")
    @ValueSource(booleans = {false, true})
    void shouldWakeAThreadThatWaitsForACompletion(boolean virtual) throws Exception {
        for (int i = 0; i < 20; i++) {
            right.receive(i, 0, 64);
            CompletableFuture<Boolean> waiting = on(virtual, () -> {
                awaitCompletion(right);
                return true;
            });
            left.send(i, 0, 64);
            assertTrue(waiting.get(LONG_SECONDS, TimeUnit.SECONDS));
            assertEquals(i + 1, right.completions.size());
        }
    }

    @ParameterizedTest(name = "virtual {0}")
    @ValueSource(booleans = {false, true})
    void shouldPlayPingPongBetweenTwoThreadsThatSleep(boolean virtual) throws Exception {
        int rounds = 500;
        for (int i = 0; i < 16; i++) {
            left.receive(i, 0, 64);
            right.receive(i, 0, 64);
        }
        CompletableFuture<Integer> answering = on(virtual, () -> play(right, rounds, false));
        CompletableFuture<Integer> asking = on(virtual, () -> play(left, rounds, true));
        assertEquals(rounds, asking.get(LONG_SECONDS, TimeUnit.SECONDS));
        assertEquals(rounds, answering.get(LONG_SECONDS, TimeUnit.SECONDS));
    }

    private static int play(ConnectionEnd end, int rounds, boolean first) {
        int received = 0;
        if (first) {
            end.post(end.qp.newSendRequest().send().from(end.memory, 0, 64));
        }
        while (received < rounds) {
            end.completions.clear();
            awaitCompletion(end);
            for (int i = end.completions.size(); i > 0; i--) {
                received++;
                end.receive(received, 0, 64);
                if (received < rounds || !first) {
                    end.post(end.qp.newSendRequest().send().from(end.memory, 0, 64));
                }
            }
        }
        return received;
    }

    @ParameterizedTest(name = "virtual {0}")
    @ValueSource(booleans = {false, true})
    void shouldEndTheWaitWhenTheTimeIsOver(boolean virtual) throws Exception {
        Duration timeout = Duration.ofMillis(200);
        CompletableFuture<Long> waiting = on(virtual, () -> {
            long start = NanoClock.SYSTEM.nowNs();
            assertNull(left.channel.await(timeout));
            return NanoClock.SYSTEM.nowNs() - start;
        });
        long waitedNs = waiting.get(LONG_SECONDS, TimeUnit.SECONDS);
        assertTrue(waitedNs >= timeout.toNanos(), "waited " + waitedNs);
        assertTrue(waitedNs < 10 * timeout.toNanos(), "waited " + waitedNs);
    }

    @Test
    void shouldNotWaitWhenThereIsNoTime() {
        assertNull(left.channel.tryTake());
        assertNull(left.channel.await(Duration.ofNanos(-1)));
    }

    @ParameterizedTest(name = "virtual {0}")
    @ValueSource(booleans = {false, true})
    void shouldEndTheWaitWhenTheThreadIsInterrupted(boolean virtual) {
        Thread[] thread = new Thread[1];
        CompletableFuture<CompletionQueue> waiting =
                on(virtual, () -> left.channel.await(LONG.multipliedBy(10)), thread);
        awaitThatItWaits(thread[0]);
        long start = NanoClock.SYSTEM.nowNs();
        thread[0].interrupt();
        assertEquals(Errno.EINTR, errnoOf(waiting));
        assertTrue(NanoClock.SYSTEM.nowNs() - start < LONG.toNanos() / 10, "it noticed late");
    }

    @ParameterizedTest(name = "virtual {0}")
    @ValueSource(booleans = {false, true})
    void shouldEndTheWaitWhenTheChannelIsClosed(boolean virtual) {
        CompletionChannel channel = left.context.createCompletionChannel();
        Thread[] thread = new Thread[1];
        CompletableFuture<CompletionQueue> waiting = on(virtual, () -> channel.await(LONG.multipliedBy(10)), thread);
        awaitThatItWaits(thread[0]);
        channel.close();
        assertEquals(Errno.EBADF, errnoOf(waiting));
    }

    @Test
    void shouldRefuseToCloseAChannelThatAQueueUses() {
        RdmaException busy = assertThrows(RdmaException.class, left.channel::close);
        assertEquals(Errno.EBUSY, busy.errno());
    }

    @ParameterizedTest(name = "virtual {0}")
    @ValueSource(booleans = {false, true})
    void shouldWaitForSeveralChannelsOfTwoDevicesAtOnce(boolean virtual) throws Exception {
        CompletionChannel idle = left.context.createCompletionChannel();
        try (Poller poller = Poller.of(left.channel, right.channel, idle)) {
            assertEquals(0, poller.await(Duration.ofMillis(20)));
            for (int i = 0; i < 10; i++) {
                right.receive(i, 0, 64);
                right.cq.arm();
                CompletableFuture<Integer> waiting = on(virtual, () -> poller.await(LONG));
                left.send(i, 0, 64);
                assertEquals(1, waiting.get(LONG_SECONDS, TimeUnit.SECONDS));
                assertTrue(right.channel.isReady());
                assertSame(right.cq, right.channel.tryTake());
                pair.expect(right, i + 1);
                pair.expect(left, i + 1);
            }
            left.cq.arm();
            right.cq.arm();
            right.receive(10, 0, 64);
            left.send(10, 0, 64);
            pair.driveUntil(() -> left.channel.isReady() && right.channel.isReady());
            assertEquals(2, poller.await(LONG));
        }
    }

    @ParameterizedTest(name = "virtual {0}")
    @ValueSource(booleans = {false, true})
    void shouldEndTheWaitWhenThePollerIsClosed(boolean virtual) {
        Poller poller = Poller.of(left.channel, right.channel);
        Thread[] thread = new Thread[1];
        CompletableFuture<Integer> waiting = on(virtual, () -> poller.await(LONG.multipliedBy(10)), thread);
        awaitThatItWaits(thread[0]);
        poller.close();
        assertEquals(Errno.EBADF, errnoOf(waiting));
    }

    @ParameterizedTest(name = "virtual {0}")
    @ValueSource(booleans = {false, true})
    void shouldEndThePollersWaitWhenAChannelIsClosed(boolean virtual) {
        CompletionChannel channel = left.context.createCompletionChannel();
        try (Poller poller = Poller.of(channel, right.channel)) {
            Thread[] thread = new Thread[1];
            CompletableFuture<Integer> waiting = on(virtual, () -> poller.await(LONG.multipliedBy(10)), thread);
            awaitThatItWaits(thread[0]);
            channel.close();
            assertEquals(Errno.EBADF, errnoOf(waiting));
        }
    }

    @Test
    void shouldWakeEveryThreadThatWaitsOnOnePoller() throws Exception {
        try (Poller poller = Poller.of(left.channel, right.channel)) {
            Thread[] first = new Thread[1];
            Thread[] second = new Thread[1];
            CompletableFuture<Integer> one = on(false, () -> poller.await(LONG), first);
            CompletableFuture<Integer> two = on(true, () -> poller.await(LONG), second);
            awaitThatItWaits(first[0]);
            awaitThatItWaits(second[0]);
            right.receive(1, 0, 64);
            right.cq.arm();
            left.send(1, 0, 64);
            assertEquals(1, one.get(LONG_SECONDS, TimeUnit.SECONDS));
            assertEquals(1, two.get(LONG_SECONDS, TimeUnit.SECONDS));
        }
    }

    @Test
    void shouldEndThePollersWaitWhenTheThreadIsInterrupted() {
        try (Poller poller = Poller.of(left.channel, right.channel)) {
            Thread[] thread = new Thread[1];
            CompletableFuture<Integer> waiting = on(false, () -> poller.await(LONG.multipliedBy(10)), thread);
            awaitThatItWaits(thread[0]);
            thread[0].interrupt();
            assertEquals(Errno.EINTR, errnoOf(waiting));
        }
    }

    @Test
    void shouldFireOnceForEachTimeItIsArmed() {
        for (int i = 0; i < 3; i++) {
            right.receive(i, 0, 64);
        }
        right.cq.arm();
        for (int i = 0; i < 3; i++) {
            left.send(i, 0, 64);
        }
        pair.expect(right, 3);
        assertSame(right.cq, right.channel.tryTake());
        assertNull(right.channel.tryTake());
    }
}
