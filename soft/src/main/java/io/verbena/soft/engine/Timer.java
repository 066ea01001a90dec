package io.verbena.soft.engine;

import java.util.function.LongConsumer;

/// A task with a deadline. Owned by the engine.
public abstract class Timer {
    long deadlineNs;
    /// Index in the heap, -1 when not armed. The key in the heap may be earlier than the deadline. It is corrected when
    /// it reaches the top.
    int heapIndex = -1;

    long heapKeyNs;

    /// @param task takes the present time
    public static Timer running(LongConsumer task) {
        return new Timer() {
            @Override
            public void onExpiry(long nowNs) {
                task.accept(nowNs);
            }
        };
    }

    public abstract void onExpiry(long nowNs);

    public final boolean isArmed() {
        return heapIndex >= 0;
    }
}
