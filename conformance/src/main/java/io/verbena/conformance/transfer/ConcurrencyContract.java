package io.verbena.conformance.transfer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.conformance.Contract;
import io.verbena.conformance.Rule;
import io.verbena.conformance.bench.Bytes;
import io.verbena.conformance.bench.Deadline;
import io.verbena.conformance.bench.LinkOptions;
import io.verbena.conformance.bench.QueuePairLink;
import io.verbena.verbs.MemoryRegion;
import io.verbena.verbs.SendRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/// Several threads and several queue pairs at once.
public abstract class ConcurrencyContract extends Contract {
    private static final int THREADS = 3;

    protected ConcurrencyContract() {}

    /// Runs the tasks on threads of their own; fails with the first failure.
    private static void together(List<Runnable> tasks) {
        AtomicReference<Throwable> failure = new AtomicReference<>();
        List<Thread> threads = new ArrayList<>();
        for (Runnable task : tasks) {
            threads.add(Thread.ofPlatform().daemon().start(() -> {
                try {
                    task.run();
                } catch (Throwable t) {
                    failure.compareAndSet(null, t);
                }
            }));
        }
        for (Thread thread : threads) {
            Deadline.await("threads end", () -> !thread.isAlive() || failure.get() != null);
        }
        if (failure.get() != null) {
            throw new AssertionError("a thread failed", failure.get());
        }
        assertNull(failure.get());
    }

    @Test
    @Rule("THR-1")
    void shouldTakeRequestsFromSeveralThreads() {
        int each = 200;
        QueuePairLink link = link(LinkOptions.DEFAULT.capabilities(32, 32, 1, 0));
        MemoryRegion source = left().memory(8L * THREADS * each);
        MemoryRegion target = right().memory(8L * THREADS * each);
        byte[] pattern = Bytes.pattern(1, 8 * THREADS * each);
        Bytes.put(source, 0, pattern);
        AtomicIntegerArray completed = new AtomicIntegerArray(THREADS * each);
        AtomicInteger total = new AtomicInteger();
        List<Runnable> tasks = new ArrayList<>();
        for (int t = 0; t < THREADS; t++) {
            int base = t * each;
            tasks.add(() -> {
                SendRequest write = link.left().request(0).write(target.remote());
                for (int i = base; i < base + each; i++) {
                    write.wrId(i)
                            .remote(target.address() + 8L * i, target.rkey())
                            .from(source, 8L * i, 8);
                    Deadline.await("room in the send queue", () -> {
                        boolean posted = link.left().qp().post(write);
                        poll(link, completed, total);
                        return posted;
                    });
                }
            });
        }
        together(tasks);
        Deadline.await("all completions", () -> {
            poll(link, completed, total);
            return total.get() == THREADS * each;
        });
        for (int i = 0; i < THREADS * each; i++) {
            assertEquals(1, completed.get(i), "completions of request " + i);
        }
        Bytes.assertUnchanged(pattern, target);
    }

    private static void poll(QueuePairLink link, AtomicIntegerArray completed, AtomicInteger total) {
        link.left()
                .sendCq()
                .poll(
                        completion -> {
                            assertTrue(
                                    completion.isSuccess(),
                                    () -> completion.status().explain());
                            completed.incrementAndGet((int) completion.wrId());
                            total.incrementAndGet();
                        },
                        4);
    }

    @Test
    @Rule("THR-2")
    void shouldHandEachCompletionToOneOfSeveralPollers() {
        int total = 600;
        QueuePairLink link = link(LinkOptions.DEFAULT.capabilities(64, 64, 1, 0).signalAll(true));
        MemoryRegion source = left().memory(8);
        MemoryRegion target = right().memory(8);
        AtomicIntegerArray completed = new AtomicIntegerArray(total);
        AtomicInteger seen = new AtomicInteger();
        List<Runnable> tasks = new ArrayList<>();
        tasks.add(() -> {
            for (int i = 0; i < total; i++) {
                SendRequest write =
                        link.left().request(i).write(target.remote()).from(source, 0, 8);
                Deadline.await("room in the send queue", () -> link.left().qp().post(write));
            }
        });
        for (int t = 0; t < THREADS; t++) {
            tasks.add(() -> Deadline.await("all completions", () -> {
                poll(link, completed, seen);
                return seen.get() == total;
            }));
        }
        together(tasks);
        for (int i = 0; i < total; i++) {
            assertEquals(1, completed.get(i), "completions of request " + i);
        }
    }

    @Test
    @Rule("THR-3")
    void shouldKeepQueuePairsApartWhenEachHasAThread() {
        List<Runnable> tasks = new ArrayList<>();
        for (int t = 0; t < THREADS; t++) {
            QueuePairLink link = link(LinkOptions.DEFAULT.psns(1000 * t, 2000 * t));
            MemoryRegion near = left().memory(9000);
            MemoryRegion far = right().memory(9000);
            long seed = 100L * t;
            tasks.add(() -> {
                for (int i = 1; i <= 20; i++) {
                    for (Transfer transfer : Transfer.values()) {
                        transfer.move(link, near, 3, far, 5, 400 * i, seed + i);
                    }
                }
            });
        }
        together(tasks);
    }

    @Test
    @Rule("THR-3")
    void shouldCarryManyConnectionsBetweenTwoDevices() {
        List<QueuePairLink> links = new ArrayList<>();
        MemoryRegion near = left().memory(32 * 2000);
        MemoryRegion far = right().memory(32 * 2000);
        byte[] pattern = Bytes.pattern(3, 32 * 2000);
        Bytes.put(near, 0, pattern);
        for (int i = 0; i < 32; i++) {
            QueuePairLink link =
                    link(LinkOptions.DEFAULT.capabilities(8, 8, 1, 0).completionEntries(16));
            link.right().receive(i, far, 2000L * i, 2000);
            links.add(link);
        }
        for (int i = 0; i < 32; i++) {
            links.get(i).left().post(links.get(i).left().request(i).send().from(near, 2000L * i, 2000));
        }
        for (int i = 0; i < 32; i++) {
            links.get(i).left().sent(i);
            links.get(i).right().received(i);
        }
        Bytes.assertUnchanged(pattern, far);
    }
}
