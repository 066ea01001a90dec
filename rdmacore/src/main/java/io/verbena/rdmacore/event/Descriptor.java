package io.verbena.rdmacore.event;

import io.verbena.rdmacore.lib.Failures;
import io.verbena.rdmacore.lib.Failures.Subject;
import io.verbena.rdmacore.lib.Libc;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/// A file descriptor that threads wait on, and a second one that wakes them all when the first is to be closed: a
/// descriptor closed too early may already be somebody else's file.
public final class Descriptor {
    private static final int CLOSED = 1 << 31;
    private static final long LOOK_AGAIN_NS = 50_000;

    private final int fd;
    private final Signal end = new Signal();
    /// The number of users, and the mark.
    private final AtomicInteger users = new AtomicInteger();

    /// Makes the descriptor non-blocking.
    public Descriptor(String verb, int fd) {
        this.fd = fd;
        int failed = Libc.setNonBlocking(fd);
        if (failed < 0) {
            end.close();
            throw Failures.of(Subject.EVENT, verb, failed);
        }
    }

    int fd() {
        return fd;
    }

    /// Ready once the descriptor is being closed.
    int endFd() {
        return end.fd();
    }

    /// False once closed; [#leave] must be called only after true.
    public boolean enter() {
        if (users.getAndIncrement() >= 0) {
            return true;
        }
        leave();
        return false;
    }

    public void leave() {
        users.decrementAndGet();
    }

    public boolean isClosed() {
        return users.get() < 0;
    }

    /// Lets nobody enter any more, and waits until all have left. After that the owner may close the descriptor; false
    /// when another call did that before.
    public boolean shut() {
        if ((users.getAndUpdate(n -> n | CLOSED) & CLOSED) != 0) {
            return false;
        }
        end.raise();
        boolean interrupted = false;
        while (users.get() != CLOSED) {
            LockSupport.parkNanos(LOOK_AGAIN_NS);
            interrupted |= Thread.interrupted(); // else no later park would wait
        }
        end.close();
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        return true;
    }
}
