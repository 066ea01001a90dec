package io.verbena.sockets;

import java.util.concurrent.locks.LockSupport;

/// A thread that waits at a [Hub].
abstract class Waiter implements ReadyListener {
    private final Thread thread = Thread.currentThread();

    /// The hub at whose channel the thread sleeps, or is about to.
    private volatile Hub leading;

    /// Whether what is waited for is there. From any thread.
    abstract boolean isReady();

    /// Whether the thread may sleep at the channel of a hub: virtual threads would hold their carrier.
    boolean canLead() {
        return !thread.isVirtual();
    }

    final void leading(Hub hub) {
        leading = hub;
    }

    /// Makes the thread look again.
    @Override
    public void onReady() {
        if (Thread.currentThread() != thread) {
            wake();
        }
    }

    void wake() {
        Hub hub = leading;
        if (hub != null) {
            hub.wakeLeader();
        }
        LockSupport.unpark(thread);
    }

    /// Sleeps until it is woken. Not for ever: see [Hub#await].
    void park(long longestNs) {
        LockSupport.parkNanos(this, longestNs);
    }
}
