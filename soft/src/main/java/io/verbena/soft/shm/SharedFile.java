package io.verbena.soft.shm;

import io.verbena.verbs.RdmaException;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;

/// A mapped file. Files never shrink, because touching memory beyond the end of a file ends in an error; for other
/// programs that shrink one all the same there is [#mend].
public final class SharedFile implements AutoCloseable {
    private static final Logger LOG = System.getLogger(SharedFile.class.getName());

    private final Path path;
    private final boolean mine;
    private final Arena arena;
    private final MemorySegment memory;
    private boolean cut;

    private SharedFile(Path path, boolean mine, int fd, long bytes) {
        this.path = path;
        this.mine = mine;
        arena = Arena.ofShared();
        try {
            memory = map(fd, bytes);
        } catch (RuntimeException e) {
            arena.close();
            throw e;
        }
    }

    static SharedFile create(Path path, long bytes) {
        int fd = FileCalls.open(path, FileCalls.O_RDWR | FileCalls.O_CREAT | FileCalls.O_EXCL);
        if (fd < 0) {
            throw FolderFailure.call("create shared file", path, "open", -fd);
        }
        try {
            reserve(path, fd, bytes);
            return new SharedFile(path, true, fd, bytes);
        } catch (RuntimeException e) {
            delete(path, e);
            throw e;
        } finally {
            FileCalls.close(fd);
        }
    }

    static SharedFile open(Path path) {
        int fd = FileCalls.open(path, FileCalls.O_RDWR | FileCalls.O_NONBLOCK);
        if (fd == -FileCalls.ENOENT) {
            throw FolderFailure.gone("open shared file", path);
        }
        if (fd < 0) {
            throw FolderFailure.call("open shared file", path, "open", -fd);
        }
        try {
            long bytes = FileCalls.size(fd);
            if (bytes < 0) {
                throw FolderFailure.call("open shared file", path, "lseek", (int) -bytes);
            }
            if (bytes == 0) {
                // Its maker has not reserved the memory yet, or cannot.
                throw FolderFailure.gone("open shared file", path);
            }
            return new SharedFile(path, false, fd, bytes);
        } finally {
            FileCalls.close(fd);
        }
    }

    /// Usable from any thread until closed.
    public MemorySegment memory() {
        return memory;
    }

    /// After a fault at memory: looks whether somebody has cut this file, where touching what is gone is such a fault.
    /// If so, zeros of this process alone take its place, so that this can be said in peace, and it stays so.
    ///
    /// @return whether the file was cut, now or before
    synchronized boolean mend() {
        if (!cut && arena.scope().isAlive() && isCut()) {
            int result = FileCalls.mapZeros(memory.address(), memory.byteSize());
            if (result < 0) {
                throw FolderFailure.call("replace cut file", path, "mmap", -result);
            }
            cut = true;
            LOG.log(Level.WARNING, () -> path + " was cut or removed by another program; what used it ends");
        }
        return cut;
    }

    /// One that was removed cannot be asked; its maker has closed it, so nobody needs it any more.
    private boolean isCut() {
        try {
            return Files.size(path) < memory.byteSize();
        } catch (IOException removed) {
            return true;
        }
    }

    public String name() {
        return path.getFileName().toString();
    }

    /// Unmaps the memory, and removes the file when it was created here; peers that have it mapped keep what they see.
    /// May be called twice.
    ///
    /// @throws IllegalStateException when a call of the C library uses the memory just now; it stays open then
    @Override
    public synchronized void close() {
        if (!arena.scope().isAlive()) {
            return;
        }
        if (mine) {
            delete(path, null);
        }
        arena.close();
    }

    @Override
    public String toString() {
        return "shared file " + path + ", " + memory.byteSize() + " bytes";
    }

    private static void reserve(Path path, int fd, long bytes) {
        AvailableMemory.require(path, bytes);
        int result = FileCalls.fallocate(fd, bytes);
        switch (-result) {
            case 0 -> {}
            case FileCalls.ENOSPC -> throw FolderFailure.noRoom(path, bytes, "the file system is full");
            case FileCalls.ENOMEM -> throw FolderFailure.noRoom(path, bytes, "the host has not enough memory");
            case FileCalls.EFBIG -> throw FolderFailure.noRoom(path, bytes, "more than a file may have; see ulimit -f");
            default -> throw FolderFailure.call("create shared file", path, "posix_fallocate", -result);
        }
    }

    @SuppressWarnings("restricted")
    private MemorySegment map(int fd, long bytes) {
        long address = FileCalls.map(fd, bytes);
        if (address == -FileCalls.ENOMEM) {
            throw FolderFailure.noRoom(path, bytes, "no address space; see ulimit -v and vm.max_map_count");
        }
        if (address < 0) {
            throw FolderFailure.call("map shared file", path, "mmap", (int) -address);
        }
        return MemorySegment.ofAddress(address).reinterpret(bytes, arena, _ -> FileCalls.unmap(address, bytes));
    }

    private static void delete(Path path, RuntimeException cause) {
        try {
            Files.deleteIfExists(path);
        } catch (IOException e) {
            RdmaException failure = FolderFailure.file("remove shared file", path, e);
            if (cause == null) {
                throw failure;
            }
            cause.addSuppressed(failure);
        }
    }
}
