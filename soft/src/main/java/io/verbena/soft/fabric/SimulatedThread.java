package io.verbena.soft.fabric;

import io.verbena.soft.net.SimulatedNetwork;
import io.verbena.soft.wait.Waiter;
import io.verbena.verbs.Errno;
import io.verbena.verbs.RdmaException;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletionException;

/// A thread of [SimulatedFabric#start]. It takes turns with the other threads of the fabric: exactly one runs at a
/// time, until it waits or ends.
public final class SimulatedThread {
    /// The task of a thread.
    @FunctionalInterface
    public interface Task {
        /// Does the work; what it throws comes out of [SimulatedThread#join].
        void run() throws Exception;
    }

    private final SimulatedNetwork network;
    private final Thread thread;
    private volatile boolean isDone;
    private volatile Throwable failure;
    private volatile boolean isJoined;

    SimulatedThread(SimulatedNetwork network, Thread.Builder builder, Task task) {
        this.network = network;
        thread = network.start(builder, () -> run(task));
    }

    private void run(Task task) {
        try {
            task.run();
        } catch (Throwable e) {
            failure = e;
        } finally {
            isDone = true;
        }
    }

    /// The name that the thread was started with.
    public String name() {
        return thread.getName();
    }

    /// Whether the task has ended, well or not.
    public boolean isDone() {
        return isDone;
    }

    /// Waits until the task is done, and throws what it threw: a checked exception inside a [CompletionException],
    /// everything else as it is.
    public void join() {
        join(Duration.ofDays(365));
    }

    /// As [#join()]; ETIMEDOUT when the virtual time is over before.
    public void join(Duration timeout) {
        Objects.requireNonNull(timeout, "the timeout is null");
        if (!network.await(() -> isDone, Waiter.nanoseconds(timeout))) {
            throw new RdmaException("join thread " + name(), Errno.ETIMEDOUT, "it still runs after " + timeout);
        }
        isJoined = true;
        switch (failure) {
            case null -> {}
            case RuntimeException e -> throw e;
            case Error e -> throw e;
            default -> throw new CompletionException("thread " + name() + " failed", failure);
        }
    }

    /// The exception of the task; null when there is none, or when [#join] has thrown it.
    Throwable unseenFailure() {
        return isJoined ? null : failure;
    }

    /// Ends its waits with EINTR.
    void interrupt() {
        thread.interrupt();
    }

    @Override
    public String toString() {
        return "thread " + name();
    }
}
