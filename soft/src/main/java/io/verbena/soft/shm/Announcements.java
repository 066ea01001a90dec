package io.verbena.soft.shm;

import io.verbena.soft.engine.NanoClock;
import io.verbena.verbs.Errno;
import io.verbena.verbs.RdmaException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotLinkException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;

/// Well-known keys, each a symbolic link whose text is `process/name`. It is read, never followed.
///
/// A link is made aside and renamed into its place, so readers need no lock. Writers hold one for a moment, because
/// "remove it if it is still that one" is two steps.
final class Announcements {
    private static final long DEADLINE_NS = TimeUnit.SECONDS.toNanos(5);
    private static final long STEP_NS = 50_000;

    private final Path folder;
    private final ProcessFolder own;
    private final Set<String> keys = ConcurrentHashMap.newKeySet();
    private final AtomicInteger drafts = new AtomicInteger();

    Announcements(Path folder, ProcessFolder own) {
        this.folder = folder;
        this.own = own;
    }

    void announce(String key, String name) {
        Path link = link(key);
        String what = "announce " + key;
        own.whileOpen(what, () -> {
            Path draft = own.draft(drafts.getAndIncrement());
            int lock = lock(folder);
            try {
                Files.createSymbolicLink(draft, Path.of(own.name(), name));
                Files.move(draft, link, StandardCopyOption.ATOMIC_MOVE);
                return keys.add(key);
            } catch (IOException e) {
                throw FolderFailure.file(what, link, e);
            } finally {
                FileCalls.close(lock);
            }
        });
    }

    void withdraw(String key) {
        if (keys.remove(key)) {
            removeIf(
                    folder, link(key), found -> found != null && found.process().equals(own.name()));
        }
    }

    void withdrawAll() {
        for (String key : keys) {
            try {
                withdraw(key);
            } catch (RdmaException e) {
                // The next start of a process removes it.
            }
        }
    }

    Announcement read(String key) {
        return read(link(key));
    }

    /// Removes an announcement if it, or null when it makes no sense, is as described.
    static void removeIf(Path folder, Path link, Predicate<Announcement> described) {
        int lock = lock(folder);
        try {
            if (Files.isSymbolicLink(link) && described.test(read(link))) {
                Files.deleteIfExists(link);
            }
        } catch (IOException e) {
            throw FolderFailure.file("withdraw", link, e);
        } finally {
            FileCalls.close(lock);
        }
    }

    private static Announcement read(Path link) {
        try {
            String[] parts = Files.readSymbolicLink(link).toString().split("/", -1);
            return parts.length == 2 && Names.isProcess(parts[0]) && Names.isChosen(parts[1])
                    ? new Announcement(parts[0], parts[1])
                    : null;
        } catch (NoSuchFileException | NotLinkException e) {
            return null;
        } catch (IOException e) {
            throw FolderFailure.file("read", link, e);
        }
    }

    private Path link(String key) {
        return folder.resolve(Names.announcement(key));
    }

    /// The descriptor whose closing lets go of the lock.
    private static int lock(Path folder) {
        Path file = folder.resolve(Names.ANNOUNCEMENTS_LOCK);
        int fd = FileCalls.open(file, FileCalls.O_RDWR | FileCalls.O_CREAT);
        if (fd < 0) {
            throw FolderFailure.call("lock", file, "open", -fd);
        }
        long start = NanoClock.SYSTEM.nowNs();
        int result = FileCalls.flock(fd, FileCalls.LOCK_EX);
        while (result == -FileCalls.EAGAIN && NanoClock.SYSTEM.nowNs() - start < DEADLINE_NS) {
            LockSupport.parkNanos(STEP_NS);
            result = FileCalls.flock(fd, FileCalls.LOCK_EX);
        }
        if (result != 0) {
            FileCalls.close(fd);
            String explanation =
                    "another process has held it for 5 seconds; look for a stopped one with: fuser " + file;
            throw new RdmaException("lock " + file, Errno.ETIMEDOUT, explanation);
        }
        return fd;
    }
}
