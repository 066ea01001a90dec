package io.verbena.soft.engine;

/// Something that is due at a time. Owned by the engine.
public abstract class Timer {
    long deadlineNs;
    /// Place in the heap, -1 when not armed. The heap's key may be older than the deadline: it is corrected when it
    /// comes up.
    int heapIndex = -1;

    long heapKeyNs;

    protected Timer() {}

    public abstract void onExpiry(long nowNs);

    public final boolean isArmed() {
        return heapIndex >= 0;
    }

    public final long deadlineNs() {
        return deadlineNs;
    }
}
