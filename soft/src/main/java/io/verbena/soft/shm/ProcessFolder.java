package io.verbena.soft.shm;

import io.verbena.verbs.Errno;
import io.verbena.verbs.RdmaException;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Path;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.Supplier;

/// The subfolder of this process, from its lock to its end.
final class ProcessFolder {
    private static final int ATTEMPTS = 100;

    private final Path path;
    private final LivenessLock lock;

    /// Whoever puts something into the subfolder reads; whoever removes it writes.
    private final ReentrantReadWriteLock gate = new ReentrantReadWriteLock();

    private volatile boolean open = true;
    private volatile boolean alive = true;

    private ProcessFolder(Path path, LivenessLock lock) {
        this.path = path;
        this.lock = lock;
    }

    /// A cleaner may take a subfolder away before it is locked: then another is made, under another name.
    static ProcessFolder create(Path parent) {
        for (int i = 0; i < ATTEMPTS; i++) {
            Path path = parent.resolve(Names.newProcess());
            try {
                UserFolder.make(path);
            } catch (FileAlreadyExistsException e) {
                continue;
            } catch (IOException e) {
                throw FolderFailure.file("make folder", path, e);
            }
            LivenessLock lock = LivenessLock.own(path);
            if (lock.state() == LivenessLock.State.HELD) {
                return new ProcessFolder(path, lock);
            }
        }
        String explanation = ATTEMPTS + " new folders in a row were removed by other processes; look for what does it";
        throw new RdmaException("open shared memory " + parent, Errno.EBUSY, explanation);
    }

    String name() {
        return path.getFileName().toString();
    }

    boolean isAlive() {
        return alive;
    }

    Path resolve(String what, String name) {
        if (!Names.isChosen(name)) {
            throw FolderFailure.badName(what, name);
        }
        return path.resolve(name);
    }

    Path draft(int number) {
        return path.resolve(Names.DRAFT + number);
    }

    /// Makes something in the subfolder, which stays there meanwhile.
    <T> T whileOpen(String what, Supplier<T> action) {
        gate.readLock().lock();
        try {
            if (!open) {
                throw new RdmaException(what, Errno.EBADF, "this process is ending; it shares no memory any more");
            }
            return action.get();
        } finally {
            gate.readLock().unlock();
        }
    }

    /// Takes everything away but the lock; nothing new comes from now on.
    void leave() {
        gate.writeLock().lock();
        try {
            open = false;
            Cleaner.empty(path);
        } finally {
            gate.writeLock().unlock();
        }
    }

    /// Takes the lock away, too, and then the subfolder.
    void remove() {
        if (alive) {
            alive = false;
            Cleaner.remove(path, true);
            lock.close();
        }
    }

    /// The same at the very end of the process, after all shutdown hooks. What was registered last is deleted first.
    void deleteLockOnExit() {
        path.toFile().deleteOnExit();
        path.resolve(Names.LOCK).toFile().deleteOnExit();
    }

    void abandon() {
        open = false;
        alive = false;
        lock.close();
    }
}
