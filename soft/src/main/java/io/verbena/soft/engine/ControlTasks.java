package io.verbena.soft.engine;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

/// Control tasks that an engine's owner runs soon. Any thread adds, the owner runs.
final class ControlTasks {
    /// The most tasks of one turn, and the most messages that wait.
    private static final int BATCH = 64;

    private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();
    private final AtomicInteger messages = new AtomicInteger();

    boolean isEmpty() {
        return tasks.isEmpty();
    }

    void add(Runnable task) {
        tasks.add(task);
    }

    /// Adds a task for a connection message that came to another engine. False when too many wait: a flood is not kept,
    /// since peers repeat what they want answered.
    boolean addMessage(Runnable task) {
        if (messages.incrementAndGet() > BATCH) {
            messages.decrementAndGet();
            return false;
        }
        tasks.add(() -> {
            messages.decrementAndGet();
            task.run();
        });
        return true;
    }

    void run() {
        Runnable task = tasks.poll();
        for (int i = 1; task != null; i++) {
            task.run();
            task = i < BATCH ? tasks.poll() : null;
        }
    }
}
