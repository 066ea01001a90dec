package io.verbena.soft.stress;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/// Threads that start together and must all end in time, without anything thrown.
final class RacingThreads {
    private static final long DEADLINE_MS = 60_000;

    interface Task {
        void run() throws Exception;
    }

    private final CountDownLatch start = new CountDownLatch(1);
    private final List<Thread> threads = new ArrayList<>();
    private final ConcurrentLinkedQueue<Throwable> thrown = new ConcurrentLinkedQueue<>();

    RacingThreads add(String name, Task task) {
        threads.add(Thread.ofPlatform().name(name).daemon().unstarted(() -> {
            try {
                start.await();
                task.run();
            } catch (Throwable e) {
                thrown.add(e);
            }
        }));
        return this;
    }

    /// Runs all; fails with the stacks of those that do not end.
    void run(String what) throws InterruptedException {
        threads.forEach(Thread::start);
        start.countDown();
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(DEADLINE_MS);
        for (Thread thread : threads) {
            long left = TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime());
            thread.join(Math.max(1, left));
            if (thread.isAlive()) {
                throw failure(new AssertionError(what + ": " + thread.getName() + " hangs\n" + stacks()));
            }
        }
        if (!thrown.isEmpty()) {
            throw failure(new AssertionError(what, thrown.poll()));
        }
    }

    /// With what others threw.
    private AssertionError failure(AssertionError error) {
        thrown.forEach(error::addSuppressed);
        return error;
    }

    private static String stacks() {
        return Thread.getAllStackTraces().entrySet().stream()
                .filter(entry -> entry.getValue().length > 0)
                .map(RacingThreads::stack)
                .collect(Collectors.joining("\n"));
    }

    private static String stack(Map.Entry<Thread, StackTraceElement[]> entry) {
        return entry.getKey().getName()
                + Arrays.stream(entry.getValue()).map(at -> "\n    " + at).collect(Collectors.joining());
    }
}
