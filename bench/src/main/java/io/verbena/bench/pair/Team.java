package io.verbena.bench.pair;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;

/// Threads that run the parts of a run at the same time. The calling thread runs the first part. The other threads
/// sleep between runs: a queue pair is used by the same thread in each run, as in a program with one thread for each
/// queue pair.
public final class Team implements AutoCloseable {
    private final List<ExecutorService> helpers;
    private final List<Samples> times;

    /// The part of one thread, which records its own begin and end.
    public interface Part {
        void run(Samples samples) throws Exception;
    }

    /// @param threads their number, including the calling thread
    public Team(int threads) {
        times = Stream.generate(Samples::new).limit(threads).toList();
        helpers = Stream.generate(() -> Executors.newSingleThreadExecutor(
                        Thread.ofPlatform().daemon().name("helper").factory()))
                .limit(threads - 1L)
                .toList();
    }

    public int threads() {
        return times.size();
    }

    /// One thread's share of the messages; the first thread gets the remainder.
    public long share(long messages, int thread) {
        return messages / threads() + (thread == 0 ? messages % threads() : 0);
    }

    /// Runs all parts at once, one on each thread, and returns when the last has ended. `total` is from the first
    /// beginning to the last end.
    public void run(List<? extends Part> parts, Samples total) throws Exception {
        CyclicBarrier start = new CyclicBarrier(threads());
        times.forEach(Samples::restart);
        List<Future<?>> others = new ArrayList<>();
        for (int i = 1; i < threads(); i++) {
            Part part = parts.get(i);
            Samples samples = times.get(i);
            others.add(helpers.get(i - 1).submit(() -> {
                start.await();
                part.run(samples);
                return null;
            }));
        }
        start.await();
        parts.getFirst().run(times.getFirst());
        for (Future<?> other : others) {
            await(other);
        }
        total.span(times);
    }

    private static void await(Future<?> other) throws InterruptedException {
        try {
            other.get();
        } catch (ExecutionException e) {
            throw new IllegalStateException(e.getCause());
        }
    }

    @Override
    public void close() {
        helpers.forEach(ExecutorService::shutdownNow);
    }
}
