package io.verbena.rdmacore;

import io.verbena.verbs.Errno;
import io.verbena.verbs.RdmaException;
import io.verbena.verbs.spi.ResourceTree;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.Supplier;

/// When an object may be used and when it ends: nobody is inside a call on it while it is destroyed, nobody gets in
/// afterwards, and it does not end while children need it.
public final class Lifetime {
    private final String name;
    private final ReentrantReadWriteLock lock = new ReentrantReadWriteLock();
    private final ResourceTree children = new ResourceTree();
    private volatile boolean ended;

    /// @param name what the object is called in errors, for example `the protection domain`
    public Lifetime(String name) {
        this.name = name;
    }

    /// What was made from the object, or uses it.
    public ResourceTree children() {
        return children;
    }

    public boolean hasEnded() {
        return ended;
    }

    /// Runs `body`, during which the object stays; EBADF when it has ended.
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

    /// Ends the object by `destroy`, unless children need it (EBUSY) or `destroy` throws. False when it has ended
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
