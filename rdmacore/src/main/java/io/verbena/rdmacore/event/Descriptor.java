package io.verbena.rdmacore.event;

import io.verbena.rdmacore.UseCount;
import io.verbena.rdmacore.lib.Failures;
import io.verbena.rdmacore.lib.Failures.Subject;
import io.verbena.rdmacore.lib.Libc;

/// A file descriptor that threads wait on, and a second one that wakes them all when the first is to be closed: the
/// number of a descriptor closed too early may already belong to another file.
public final class Descriptor {
    private final int fd;
    private final Signal end = new Signal();
    private final UseCount users = new UseCount();

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
        return users.acquire();
    }

    public void leave() {
        users.release();
    }

    public boolean isClosed() {
        return users.hasEnded();
    }

    /// Refuses new threads, and waits until all have left. After that the owner may close the descriptor; false when
    /// another call did that before.
    public boolean shut() {
        if (!users.refuse()) {
            return false;
        }
        end.raise();
        users.awaitNoUsers();
        end.close();
        return true;
    }
}
