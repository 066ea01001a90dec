package io.verbena.rdmacore.event;

import io.verbena.rdmacore.lib.Failures;
import io.verbena.rdmacore.lib.Libc;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.List;

/// A descriptor that several threads may wait on, and that may be closed while they do.
///
/// Beside it there is an `eventfd` that closing makes ready, so threads that sleep in `poll` wake up. [#close] returns
/// when none of them looks at the descriptor any more; then its owner closes that.
public final class Waitable {
    private final String verb;
    private final int fd;
    private final int wake;
    private int inside;
    private boolean closed;

    /// @param verb what a program that waits here is doing, for errors
    /// @param fd non-blocking, the caller's own; negative for none
    public Waitable(String verb, int fd) {
        this.verb = verb;
        this.fd = fd;
        this.wake = Libc.eventfd();
        if (wake < 0) {
            throw Failures.of(Failures.Subject.EVENT, "eventfd", wake);
        }
    }

    String verb() {
        return verb;
    }

    int fd() {
        return fd;
    }

    int wake() {
        return wake;
    }

    /// Whether it is open; then both descriptors stay until [#leave].
    synchronized boolean enter() {
        if (!closed) {
            inside++;
        }
        return !closed;
    }

    synchronized void leave() {
        inside--;
        notifyAll();
    }

    public synchronized boolean isClosed() {
        return closed;
    }

    /// Whether there is something to read; false once it is closed.
    public boolean isReady() {
        return Wait.look(this);
    }

    /// Waits until there is something to read: false when the time is over. Throws EBADF when it is closed meanwhile,
    /// EINTR when the thread is interrupted.
    public boolean await(Duration timeout) {
        return Wait.until(verb, () -> List.of(this), NanoClock.nanoseconds(timeout)) > 0;
    }

    /// Wakes all that wait, and returns when they are gone. Closing twice is fine.
    public void close() {
        synchronized (this) {
            if (closed) {
                return;
            }
            closed = true;
        }
        signal();
        awaitNobodyInside();
        Libc.close(wake);
    }

    private void signal() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment one = arena.allocate(ValueLayout.JAVA_LONG);
            one.set(ValueLayout.JAVA_LONG, 0, 1);
            Libc.write(wake, one.address(), Long.BYTES);
        }
    }

    private synchronized void awaitNobodyInside() {
        boolean interrupted = false;
        while (inside > 0) {
            try {
                wait();
            } catch (InterruptedException later) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
