package io.verbena.soft.os;

/// Two numbers under a [BiasedLock] that are equal whenever the lock is free.
class Guarded {
    /// More than it takes to be preferred.
    private static final int MANY = 1_100;
    /// Longer than others spin for a preferred thread before they give way to it.
    private static final int LONG = 300;

    final BiasedLock lock = new BiasedLock();
    private int first;
    private int second;

    /// The thread that makes a state of a test is one of those that act on it, so it is preferred from the start.
    void preferMe() {
        for (int i = 0; i < MANY; i++) {
            lock.lock();
            lock.unlock();
        }
    }

    /// Under the lock.
    void add() {
        first++;
        second++;
    }

    /// Under the lock, and others have long to wait.
    void addSlowly() {
        int before = first;
        for (int i = 0; i < LONG; i++) {
            Thread.onSpinWait();
        }
        first = before + 1;
        second++;
    }

    /// The number, or -1 when somebody was inside at the same time.
    int sum() {
        return first == second ? first : -1;
    }
}
