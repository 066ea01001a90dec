package io.verbena.rdmacore;

import io.verbena.verbs.Errno;
import io.verbena.verbs.RdmaException;
import io.verbena.verbs.spi.ResourceTree;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.Supplier;

/// The lifetime of an object with a C counterpart. No call on the object runs while it is destroyed or afterwards, and
/// it is not destroyed while it has children.
public final class Lifetime {
    private final String name;
    private final ReentrantReadWriteLock lock = new ReentrantReadWriteLock();
    private final ResourceTree children = new ResourceTree();
    private volatile boolean ended;

    /// @param name what the object is called in errors, for example `the protection domain`
    public Lifetime(String name) {
        this.name = name;
    }

    /// Objects that were made from this object, or use it.
    public ResourceTree children() {
        return children;
    }

    public boolean hasEnded() {
        return ended;
    }

    /// Runs `body`, during which the object is not destroyed; EBADF when it was closed.
    public <T> T use(String verb, Supplier<T> body) {
        lock.readLock().lock();
        try {
            if (ended) {
                throw new RdmaException(verb, Errno.EBADF, name + " is closed");
            }
            return body.get();
        } finally {
            lock.readLock().unlock();
        }
    }

    /// Ends the object by `destroy`, unless children need it (EBUSY) or `destroy` throws. False when it was destroyed
    /// before.
    public boolean end(String verb, Runnable destroy) {
        lock.writeLock().lock();
        try {
            if (ended) {
                return false;
            }
            children.requireNone(verb);
            destroy.run();
            ended = true;
            return true;
        } finally {
            lock.writeLock().unlock();
        }
    }
}
