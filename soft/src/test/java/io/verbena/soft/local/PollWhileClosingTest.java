package io.verbena.soft.local;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.soft.OverSharedMemory;
import io.verbena.soft.os.NanoClock;
import io.verbena.verbs.CompletionQueue;
import io.verbena.verbs.Errno;
import io.verbena.verbs.RdmaException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/// Threads poll and wait while their device is closed: they get an error, and nothing else happens. More rounds by
/// `-Dverbena.test.rounds`.
@EnabledOnOs(OS.LINUX)
class PollWhileClosingTest implements OverSharedMemory {
    private static final long SEED = Long.getLong("verbena.test.seed", System.nanoTime());
    private static final int ROUNDS = Integer.getInteger("verbena.test.rounds", 30);
    private static final int POLLERS = 6;
    private static final Duration LONG = Duration.ofSeconds(20);

    private final Queue<Throwable> failures = new ConcurrentLinkedQueue<>();
    private final AtomicInteger interrupts = new AtomicInteger();

    private void until(Runnable step) {
        try {
            while (true) {
                step.run();
                interrupts.addAndGet(Thread.interrupted() ? 1 : 0);
            }
        } catch (RdmaException e) {
            if (e.errno() != Errno.EBADF && e.errno() != Errno.ECANCELED) {
                failures.add(e);
            }
        } catch (RuntimeException | Error e) {
            failures.add(e);
        }
    }

    private Thread poller(CompletionQueue cq) {
        return Thread.ofPlatform().start(() -> until(() -> cq.poll(completion -> {}, 16)));
    }

    @Test
    void shouldEndWithAnErrorAndNothingElse() throws InterruptedException {
        System.out.println("seed " + SEED);
        Random random = new Random(SEED);
        for (int i = 0; i < ROUNDS; i++) {
            try (SharedPair pair = new SharedPair(SharedPair.IMPATIENT)) {
                OpenPair.exchange(pair, pair.left, pair.right);
                List<Thread> threads = new ArrayList<>();
                for (int n = 0; n < POLLERS; n++) {
                    threads.add(poller(n % 2 == 0 ? pair.left.cq : pair.right.cq));
                }
                long endNs = NanoClock.SYSTEM.nowNs() + random.nextInt(3_000_000);
                while (NanoClock.SYSTEM.nowNs() < endNs) {
                    pair.right.qp.post(pair.right
                            .qp
                            .newSendRequest()
                            .write(pair.left.memory.address(), pair.left.memory.rkey())
                            .from(pair.right.memory, 0, 64));
                }
                pair.left.context.closeAll();
                pair.right.context.closeAll();
                for (Thread thread : threads) {
                    thread.join(LONG);
                    assertFalse(thread.isAlive(), "it still polls a closed queue");
                }
            }
            assertEquals(List.of(), List.copyOf(failures));
            assertTrue(interrupts.get() == 0, "interrupted by nobody");
        }
    }
}
