package io.verbena.soft.shm;

import io.verbena.soft.os.Doorbell;
import io.verbena.soft.os.UseGate;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;

/// Wakes a thread of another process that sleeps in `poll`: a FIFO, in which each byte is a ring.
///
/// Each side opens it for reading and writing, without waiting: so opening needs no partner, and a side that is gone
/// breaks nothing for the other. All methods may be called by any thread.
public final class Bell implements Doorbell, AutoCloseable {
    private static final int DRAIN_BYTES = 4096;

    /// Twice what a FIFO holds; more than that comes from a peer that never stops ringing.
    private static final int DRAINS = 32;

    private final Path path;
    private final boolean mine;
    private final int fd;
    private final UseGate gate;
    private final MemorySegment ring = Arena.ofAuto().allocate(1);
    private final MemorySegment drained = Arena.ofAuto().allocate(DRAIN_BYTES);

    private Bell(Path path, boolean mine) {
        this.path = path;
        this.mine = mine;
        fd = FileCalls.open(path, FileCalls.O_RDWR | FileCalls.O_NONBLOCK);
        if (fd == -FileCalls.ENOENT) {
            throw FolderFailure.gone("open bell", path);
        }
        if (fd < 0) {
            throw FolderFailure.call("open bell", path, "open", -fd);
        }
        gate = new UseGate(() -> FileCalls.close(fd));
    }

    static Bell create(Path path) {
        int result = FileCalls.mkfifo(path);
        if (result < 0) {
            throw FolderFailure.call("create bell", path, "mkfifo", -result);
        }
        return new Bell(path, true);
    }

    static Bell open(Path path) {
        try {
            // What is neither file, folder nor link is a FIFO here; a ring must not land in somebody's file.
            if (!Files.readAttributes(path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS)
                    .isOther()) {
                throw FolderFailure.file("open bell", path, new IOException("that is no FIFO"));
            }
        } catch (NoSuchFileException e) {
            throw FolderFailure.gone("open bell", path);
        } catch (IOException e) {
            throw FolderFailure.file("open bell", path, e);
        }
        return new Bell(path, false);
    }

    /// The descriptor that is readable from a ring on until it is silenced. Valid between [#hold] and [#release].
    @Override
    public int fd() {
        return fd;
    }

    /// Keeps the descriptor open until [#release]; false once closed, and then nothing is to be released.
    @Override
    public boolean hold() {
        return gate.enter();
    }

    @Override
    public void release() {
        gate.leave();
    }

    /// Never waits: a FIFO without room rings already.
    public void ring() {
        if (gate.enter()) {
            try {
                FileCalls.write(fd, ring.address(), 1);
            } finally {
                gate.leave();
            }
        }
    }

    /// Forgets all rings so far.
    @Override
    public void silence() {
        if (gate.enter()) {
            try {
                int read = DRAIN_BYTES;
                for (int i = 0; i < DRAINS && read == DRAIN_BYTES; i++) {
                    read = FileCalls.read(fd, drained.address(), DRAIN_BYTES);
                }
            } finally {
                gate.leave();
            }
        }
    }

    /// Wakes who sleeps on it, and removes the FIFO when it was created here. May be called twice.
    @Override
    public void close() {
        if (gate.enter()) {
            gate.close();
            if (mine) {
                FileCalls.write(fd, ring.address(), 1);
            }
            gate.leave();
            removeMine();
        }
    }

    @Override
    public String toString() {
        return "bell " + path;
    }

    private void removeMine() {
        if (mine) {
            try {
                Files.deleteIfExists(path);
            } catch (IOException e) {
                throw FolderFailure.file("remove bell", path, e);
            }
        }
    }
}
