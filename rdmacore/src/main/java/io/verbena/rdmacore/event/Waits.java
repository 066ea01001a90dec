package io.verbena.rdmacore.event;

import io.verbena.rdmacore.lib.Failures;
import io.verbena.rdmacore.lib.Failures.Subject;
import io.verbena.rdmacore.lib.Libc;
import io.verbena.verbs.Errno;
import io.verbena.verbs.RdmaException;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/// Sleeps in `poll(2)`.
public final class Waits {
    /// A thread in a system call does not notice an interrupt, so it checks this often.
    private static final int LONGEST_DEAF_MS = 50;

    private static final long NS_PER_MS = 1_000_000;
    private static final Duration FOR_EVER = Duration.ofDays(365);

    /// Sleep in place of virtual threads, which would keep others from running meanwhile.
    private static final class Sleepers {
        static final ExecutorService POOL = Executors.newCachedThreadPool(
                Thread.ofPlatform().daemon().name("verbena-wait-", 0).factory());
    }

    private Waits() {}

    /// Nanoseconds of a duration; one that is too long for a long is as good as for ever.
    public static long nanoseconds(Duration timeout) {
        return timeout.compareTo(FOR_EVER) > 0 ? FOR_EVER.toNanos() : timeout.toNanos();
    }

    /// Sleeps until one of the descriptors is ready, but not for long: the caller checks its conditions and calls
    /// again. Returns how many are ready.
    static int sleep(String verb, long fds, int count, long leftNs) {
        if (Thread.interrupted()) {
            throw new RdmaException(verb, Errno.EINTR, "the waiting thread was interrupted");
        }
        int timeoutMs = (int) Math.min(LONGEST_DEAF_MS, (Math.max(0, leftNs) + NS_PER_MS - 1) / NS_PER_MS);
        int ready = timeoutMs > 0 && Thread.currentThread().isVirtual()
                ? sleepOnHelperThread(fds, count, timeoutMs)
                : Libc.poll(fds, count, timeoutMs);
        if (ready < 0 && ready != -Libc.EINTR) {
            throw Failures.of(Subject.EVENT, verb, ready);
        }
        return Math.max(0, ready);
    }

    private static int sleepOnHelperThread(long fds, int count, int timeoutMs) {
        Future<Integer> sleeper = Sleepers.POOL.submit(() -> Libc.poll(fds, count, timeoutMs));
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    return sleeper.get();
                } catch (InterruptedException e) {
                    interrupted = true; // the memory of `fds` must stay until the sleeper is back, which is soon
                } catch (ExecutionException e) {
                    throw new AssertionError(e.getCause());
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
