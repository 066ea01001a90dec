package io.verbena.soft;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.soft.fabric.SimulatedFabric;
import io.verbena.soft.fabric.SimulatedThread;
import io.verbena.soft.fault.FaultPlan;
import io.verbena.soft.rig.SimulatedEcho;
import io.verbena.verbs.Context;
import io.verbena.verbs.Errno;
import io.verbena.verbs.QueuePairChange;
import io.verbena.verbs.QueuePairOptions;
import io.verbena.verbs.RdmaException;
import io.verbena.verbs.attr.Access;
import io.verbena.verbs.attr.AddressVector;
import io.verbena.verbs.attr.Gid;
import java.io.IOException;
import java.net.InetAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Several threads on one simulated network.
@Timeout(60)
class SimulatedThreadsTest {
    private static final Duration LONG = Duration.ofSeconds(10);
    private static final Duration FOR_EVER = Duration.ofDays(365);
    private static final FaultPlan LOSSY =
            FaultPlan.none().withLoss(0.1).withDuplicate(0.05).withReorder(0.05);

    private final SimulatedFabric fabric = new SimulatedFabric(1);

    /// The actions of three threads, with their times.
    private static List<String> trace(long seed, boolean virtual) {
        List<String> trace = Collections.synchronizedList(new ArrayList<>());
        SimulatedFabric fabric = new SimulatedFabric(seed).faults(LOSSY);
        List<SimulatedThread> threads = new ArrayList<>();
        threads.add(fabric.start("server", () -> SimulatedEcho.serve(fabric.host("10.0.0.9"), 2)));
        for (String name : List.of("first", "second")) {
            String address = "10.0.0." + (1 + threads.size());
            SimulatedThread.Task task = () -> {
                for (int i = 0; i < 3; i++) {
                    trace.add(name + " naps at " + fabric.elapsed());
                    fabric.sleep(Duration.ofNanos(700));
                }
                int right = SimulatedEcho.ask(fabric.host(address), fabric.host("10.0.0.9"), 20);
                trace.add(name + " had " + right + " right answers at " + fabric.elapsed());
            };
            threads.add(virtual ? fabric.start(Thread.ofVirtual().name(name), task) : fabric.start(name, task));
        }
        threads.forEach(SimulatedThread::join);
        trace.add("all over at " + fabric.elapsed());
        return trace;
    }

    @Test
    void shouldRepeatARunOfSeveralThreads() {
        List<String> trace = trace(5, false);
        assertTrue(trace.toString().contains("20 right answers"), trace::toString);
        assertEquals(9, trace.size());
        for (int i = 0; i < 5; i++) {
            assertEquals(trace, trace(5, false));
        }
        assertNotEquals(trace, trace(6, false));
    }

    @Test
    void shouldRunVirtualThreadsInTheSameOrder() {
        assertEquals(trace(7, false), trace(7, true));
    }

    @Test
    void shouldBeginThreadsWhenTheirStarterWaitsAndInTheOrderOfTheirStart() {
        List<String> order = new ArrayList<>();
        SimulatedThread first = fabric.start("first", () -> order.add("first"));
        SimulatedThread second = fabric.start("second", () -> order.add("second"));
        order.add("starter");
        second.join();
        assertTrue(first.isDone());
        assertEquals(List.of("starter", "first", "second"), order);
        assertEquals(Duration.ZERO, fabric.elapsed());
    }

    @Test
    void shouldSleepInVirtualTime() {
        SimulatedThread sleeper = fabric.start("sleeper", () -> fabric.sleep(Duration.ofHours(3)));
        fabric.sleep(Duration.ofHours(1));
        assertFalse(sleeper.isDone());
        sleeper.join();
        assertEquals(Duration.ofHours(3), fabric.elapsed());
    }

    @Test
    void shouldThrowInJoinWhatTheTaskThrew() {
        RuntimeException unchecked = new IllegalArgumentException("a");
        SimulatedThread first = fabric.start("first", () -> {
            throw unchecked;
        });
        assertSame(unchecked, assertThrows(IllegalArgumentException.class, first::join));
        IOException checked = new IOException("b");
        SimulatedThread second = fabric.start("second", () -> {
            throw checked;
        });
        assertSame(
                checked, assertThrows(CompletionException.class, second::join).getCause());
    }

    @Test
    void shouldEndAJoinThatTakesTooLong() {
        AtomicBoolean end = new AtomicBoolean();
        SimulatedThread thread = fabric.start("waits", () -> fabric.runUntil(end::get, FOR_EVER));
        RdmaException late = assertThrows(RdmaException.class, () -> thread.join(Duration.ofSeconds(3)));
        assertEquals(Errno.ETIMEDOUT, late.errno());
        assertEquals(Duration.ofSeconds(3), fabric.elapsed());
        end.set(true);
        thread.join();
    }

    @Test
    void shouldNameEveryThreadOfADeadlock() {
        SimulatedThread server = fabric.start("server", () -> fabric.runUntil(() -> false, FOR_EVER));
        IllegalStateException deadlock =
                assertThrows(IllegalStateException.class, () -> fabric.runUntil(() -> false, FOR_EVER));
        String text = deadlock.getMessage();
        assertTrue(text.contains("deadlock"), text);
        assertTrue(text.contains("server waits at " + SimulatedThreadsTest.class.getName()), text);
        assertTrue(text.contains(Thread.currentThread().getName() + " waits at "), text);
        assertThrows(IllegalStateException.class, server::join);
    }

    /// Keep-alives are exchanged for ever.
    @Test
    void shouldSeeADeadlockBehindConnectionsThatAreKeptAlive() {
        SimulatedThread server = fabric.start("server", () -> SimulatedEcho.serve(fabric.host("10.0.0.2"), 1));
        AtomicInteger answers = new AtomicInteger();
        SimulatedThread client = fabric.start("client", () -> {
            answers.set(SimulatedEcho.ask(fabric.host("10.0.0.1"), fabric.host("10.0.0.2"), 1));
            fabric.runUntil(() -> false, FOR_EVER);
        });
        assertThrows(IllegalStateException.class, client::join);
        server.join();
        assertEquals(1, answers.get());
    }

    @Test
    void shouldGoOnWithoutAThreadThatIsBlockedElsewhere() throws Exception {
        CountDownLatch latch = new CountDownLatch(1);
        CompletableFuture<Integer> answers = new CompletableFuture<>();
        fabric.start("server", () -> SimulatedEcho.serve(fabric.host("10.0.0.2"), 1));
        fabric.start("client", () -> {
            latch.await();
            answers.complete(SimulatedEcho.ask(fabric.host("10.0.0.1"), fabric.host("10.0.0.2"), 10));
        });
        fabric.start("opener", () -> {
            fabric.sleep(LONG);
            latch.countDown();
        });
        assertEquals(10, answers.get(30, TimeUnit.SECONDS));
    }

    @Test
    void shouldHandOverBetweenThreadsThatBlockElsewhereAgainAndAgain() {
        SynchronousQueue<Integer> queue = new SynchronousQueue<>();
        AtomicInteger sum = new AtomicInteger();
        SimulatedThread taker = fabric.start("taker", () -> {
            for (int i = 0; i < 5; i++) {
                sum.addAndGet(queue.take());
                fabric.sleep(Duration.ofMillis(1));
            }
        });
        SimulatedThread giver = fabric.start("giver", () -> {
            for (int i = 0; i < 5; i++) {
                queue.put(i);
            }
        });
        giver.join();
        taker.join();
        assertEquals(10, sum.get());
    }

    @Test
    void shouldGoOnWhenTheThreadThatHasTheTurnEnds() throws Exception {
        AtomicBoolean done = new AtomicBoolean();
        Thread starter = Thread.ofPlatform()
                .start(() -> fabric.start("later", () -> {
                    fabric.sleep(LONG);
                    done.set(true);
                }));
        starter.join();
        assertTrue(fabric.runUntil(done::get, Duration.ofMinutes(1)));
    }

    @Test
    void shouldTakeThreadsInThatTheProgramStartsItself() throws Exception {
        List<Thread> threads = new ArrayList<>();
        AtomicInteger sum = new AtomicInteger();
        for (int i = 0; i < 4; i++) {
            Runnable nap = () -> {
                fabric.sleep(LONG);
                sum.incrementAndGet();
            };
            threads.add(
                    i % 2 == 0
                            ? Thread.startVirtualThread(nap)
                            : Thread.ofPlatform().start(nap));
        }
        for (Thread thread : threads) {
            assertTrue(thread.join(Duration.ofSeconds(30)));
        }
        assertEquals(4, sum.get());
    }

    @Test
    void shouldEndAWaitWhenInterrupted() {
        Thread main = Thread.currentThread();
        SimulatedThread other = fabric.start("other", () -> {
            fabric.sleep(LONG);
            main.interrupt();
        });
        RdmaException ended = assertThrows(RdmaException.class, () -> fabric.sleep(Duration.ofHours(1)));
        assertEquals(Errno.EINTR, ended.errno());
        assertFalse(Thread.interrupted());
        other.join();
        assertEquals(LONG, fabric.elapsed());
    }

    @Test
    void shouldLetOthersRunWhileAProgramOnlyPolls() {
        AtomicBoolean done = new AtomicBoolean();
        try (Context context = fabric.host("10.0.0.1").device().open();
                var cq = context.createCompletionQueue(4)) {
            fabric.start("other", () -> {
                fabric.sleep(Duration.ofMillis(50));
                done.set(true);
            });
            while (!done.get()) {
                cq.poll(completion -> {}, 1);
            }
        }
        assertTrue(fabric.elapsed().compareTo(Duration.ofMillis(50)) >= 0);
    }

    /// They never wait, so they never have a turn.
    @Test
    void shouldBearThreadsThatPostAndCloseOutOfTurn() {
        AtomicInteger done = new AtomicInteger();
        List<Throwable> failures = Collections.synchronizedList(new ArrayList<>());
        fabric.faults(LOSSY);
        for (int i = 1; i <= 3; i++) {
            String here = "10.0.0." + i;
            String there = "10.0.0." + (i % 3 + 1);
            Thread.ofPlatform().start(() -> {
                try {
                    for (int round = 0; round < 100; round++) {
                        postAndClose(here, there);
                    }
                } catch (RuntimeException | Error e) {
                    failures.add(e);
                } finally {
                    done.incrementAndGet();
                }
            });
        }
        long startNs = System.nanoTime();
        while (done.get() < 3 && System.nanoTime() - startNs < TimeUnit.SECONDS.toNanos(30)) {
            fabric.run(Duration.ofMillis(1));
        }
        assertEquals(3, done.get());
        assertEquals(List.of(), failures);
        assertEquals(List.of(), fabric.openObjects());
    }

    private void postAndClose(String here, String there) {
        Context context = fabric.host(here).device().open();
        try {
            var pd = context.allocateProtectionDomain();
            var cq = context.createCompletionQueue(64);
            var qp = pd.createQueuePair(QueuePairOptions.rc(cq));
            var memory = pd.allocate(64, Access.LOCAL_WRITE);
            qp.modify(QueuePairChange.toInit());
            qp.modify(QueuePairChange.toRtr(AddressVector.to(Gid.of(InetAddress.ofLiteral(there))), 0x11, 0));
            qp.modify(QueuePairChange.toRts(0));
            for (int i = 0; i < 10; i++) {
                qp.post(qp.newSendRequest().send().from(memory, 0, 64).signaled());
                cq.poll(completion -> {}, 4);
            }
        } finally {
            context.closeAll();
        }
    }

    /// Threads of all kinds that wait, block, post and end at the same time.
    @Test
    void shouldNeverHang() throws Exception {
        for (int seed = 0; seed < 3; seed++) {
            SimulatedFabric busy = new SimulatedFabric(seed).faults(LOSSY);
            AtomicInteger right = new AtomicInteger();
            List<Thread> plain = new ArrayList<>();
            for (int pair = 0; pair < 4; pair++) {
                String server = "10.0.1." + (1 + pair);
                String client = "10.0.2." + (1 + pair);
                Runnable serve = () -> SimulatedEcho.serve(busy.host(server), 1);
                Runnable ask = () -> right.addAndGet(SimulatedEcho.ask(busy.host(client), busy.host(server), 10));
                if (pair % 2 == 0) {
                    busy.start("server " + pair, serve::run);
                    busy.start("client " + pair, ask::run);
                } else {
                    plain.add(Thread.startVirtualThread(serve));
                    plain.add(Thread.ofPlatform().start(() -> {
                        busy.sleep(Duration.ofMillis(1));
                        ask.run();
                    }));
                }
            }
            for (Thread thread : plain) {
                assertTrue(thread.join(Duration.ofSeconds(30)), "a thread hangs");
            }
            assertTrue(busy.runUntil(() -> right.get() == 40, Duration.ofHours(1)), right::toString);
        }
    }
}
