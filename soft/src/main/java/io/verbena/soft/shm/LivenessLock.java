package io.verbena.soft.shm;

import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;

/// The lock that tells whether a process lives. The kernel lets go of it when the process ends, however it ends.
///
/// A process owns its subfolder only once it holds the exclusive lock and sees that the lock file is still linked;
/// whoever cleans deletes only while it holds the shared lock, and unlinks the lock file last. So the one that locks
/// first wins, the other sees it, and neither waits; and because subfolders' names never come again, nobody mistakes a
/// lock file for another.
///
/// Whoever asks takes the lock shared, as cleaners do, so that none of them looks like a living process to another.
final class LivenessLock implements AutoCloseable {
    private static final int NONE = -1;

    /// What a try at a lock gave.
    enum State {
        /// The caller has it.
        HELD,
        /// Another open file has it in a way that excludes ours.
        TAKEN,
        /// There is no lock file.
        MISSING
    }

    private final State state;
    private int fd;

    private LivenessLock(State state, int fd) {
        this.state = state;
        this.fd = fd;
    }

    /// Makes the lock file of a new subfolder, and takes the lock for the life of the process; not HELD when a cleaner
    /// was faster.
    static LivenessLock own(Path subfolder) {
        return take(subfolder, make(subfolder));
    }

    /// The first step of [#own]: the descriptor of a new lock file.
    static int make(Path subfolder) {
        int flags = FileCalls.O_RDWR | FileCalls.O_CREAT | FileCalls.O_EXCL;
        return FileCalls.open(subfolder.resolve(Names.LOCK), flags);
    }

    /// The second one.
    static LivenessLock take(Path subfolder, int fd) {
        Path file = subfolder.resolve(Names.LOCK);
        LivenessLock lock = lock(file, fd, FileCalls.LOCK_EX);
        if (lock.state == State.HELD && !Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
            lock.close();
            return new LivenessLock(State.MISSING, NONE);
        }
        return lock;
    }

    /// Takes the lock of a subfolder unless its process lives.
    static LivenessLock ofDead(Path subfolder) {
        Path file = subfolder.resolve(Names.LOCK);
        return lock(file, FileCalls.open(file, FileCalls.O_RDONLY), FileCalls.LOCK_SH);
    }

    static boolean isHeld(Path subfolder) {
        try (LivenessLock lock = ofDead(subfolder)) {
            return lock.state == State.TAKEN;
        }
    }

    State state() {
        return state;
    }

    /// Lets go of the lock. May be called twice.
    @Override
    public synchronized void close() {
        if (fd != NONE) {
            FileCalls.close(fd);
            fd = NONE;
        }
    }

    private static LivenessLock lock(Path file, int fd, int operation) {
        if (fd == -FileCalls.ENOENT) {
            return new LivenessLock(State.MISSING, NONE);
        }
        if (fd < 0) {
            throw FolderFailure.call("lock", file, "open", -fd);
        }
        int result = FileCalls.flock(fd, operation);
        if (result == 0) {
            return new LivenessLock(State.HELD, fd);
        }
        FileCalls.close(fd);
        if (result == -FileCalls.EAGAIN) {
            return new LivenessLock(State.TAKEN, NONE);
        }
        throw FolderFailure.call("lock", file, "flock", -result);
    }
}
