package io.verbena.soft.shm;

import static io.verbena.soft.os.CLibrary.ERRNO;
import static io.verbena.soft.os.CLibrary.function;
import static io.verbena.soft.os.CLibrary.link;
import static io.verbena.soft.os.CLibrary.plainFunction;
import static io.verbena.soft.os.CLibrary.result;
import static io.verbena.soft.os.CLibrary.unexpected;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.verbena.soft.os.CLibrary;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.nio.file.Path;

/// The system calls on shared files. A failed call returns its error number, negated, as inside the kernel.
///
/// None of them is made for every message, so each brings the memory for its error number itself. The exceptions are
/// [#write] and [#read], which wake and are woken: they allocate nothing and tell no error number.
///
/// Loading this class fails with a [LinkageError] where native access is denied or a function is missing.
final class FileCalls {
    static final int ENOENT = 2;
    static final int EINTR = 4;
    static final int EAGAIN = 11;
    static final int ENOMEM = 12;
    static final int EEXIST = 17;
    static final int EFBIG = 27;
    static final int ENOSPC = 28;

    static final int O_RDONLY = 0;
    static final int O_RDWR = 2;
    static final int O_CREAT = 0x40;
    static final int O_EXCL = 0x80;
    static final int O_NONBLOCK = 0x800;
    static final int O_CLOEXEC = 0x80000;
    static final int O_NOFOLLOW = "aarch64".equals(System.getProperty("os.arch")) ? 0x8000 : 0x20000;

    static final int LOCK_SH = 1;
    static final int LOCK_EX = 2;
    static final int LOCK_NB = 4;

    /// Read and write by the owner only.
    static final int OWNER_ONLY = 0600;

    private static final int PROT_READ_WRITE = 3;
    private static final int MAP_SHARED = 1;
    /// MAP_PRIVATE, MAP_FIXED, MAP_ANONYMOUS.
    private static final int MAP_ZEROS_THERE = 0x32;

    private static final MethodHandle OPEN = link(
            "open",
            FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_INT, JAVA_INT),
            ERRNO,
            Linker.Option.firstVariadicArg(2));
    private static final MethodHandle FLOCK = function("flock", JAVA_INT, JAVA_INT, JAVA_INT);
    private static final MethodHandle MKFIFO = function("mkfifo", JAVA_INT, JAVA_LONG, JAVA_INT);
    private static final MethodHandle FALLOCATE =
            plainFunction("posix_fallocate", JAVA_INT, JAVA_INT, JAVA_LONG, JAVA_LONG);
    private static final MethodHandle MMAP =
            function("mmap", JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_INT, JAVA_INT, JAVA_INT, JAVA_LONG);
    private static final MethodHandle MUNMAP = plainFunction("munmap", JAVA_INT, JAVA_LONG, JAVA_LONG);
    private static final MethodHandle LSEEK = function("lseek", JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_INT);
    private static final MethodHandle GETEUID = plainFunction("geteuid", JAVA_INT);
    private static final MethodHandle READ = plainFunction("read", JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_LONG);
    private static final MethodHandle WRITE = plainFunction("write", JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_LONG);
    private static final MethodHandle CLOSE = plainFunction("close", JAVA_INT, JAVA_INT);

    private static final int SEEK_END = 2;

    private FileCalls() {}

    /// Never follows a link at the end of the path, and no child process inherits the descriptor.
    static int open(Path path, int flags) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment state = state(arena);
            long name = arena.allocateFrom(path.toString()).address();
            int all = flags | O_NOFOLLOW | O_CLOEXEC;
            int fd;
            do {
                fd = result(state, (int) OPEN.invokeExact(state, name, all, OWNER_ONLY));
            } while (fd == -EINTR);
            return fd;
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    /// Does not wait: `-EAGAIN` when another open file has the lock.
    static int flock(int fd, int operation) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment state = state(arena);
            return result(state, (int) FLOCK.invokeExact(state, fd, operation | LOCK_NB));
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    static int mkfifo(Path path) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment state = state(arena);
            long name = arena.allocateFrom(path.toString()).address();
            return result(state, (int) MKFIFO.invokeExact(state, name, OWNER_ONLY));
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    static int fallocate(int fd, long bytes) {
        try {
            int error;
            do {
                error = (int) FALLOCATE.invokeExact(fd, 0L, bytes);
            } while (error == EINTR);
            return -error;
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    /// The address of the mapping, or an error number, negated: no address is negative.
    static long map(int fd, long bytes) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment state = state(arena);
            long address = (long) MMAP.invokeExact(state, 0L, bytes, PROT_READ_WRITE, MAP_SHARED, fd, 0L);
            return address == -1 ? -CLibrary.errno(state) : address;
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    /// Puts zeros of this process alone in the place of a mapping; 0, or an error number, negated.
    static int mapZeros(long address, long bytes) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment state = state(arena);
            long there = (long) MMAP.invokeExact(state, address, bytes, PROT_READ_WRITE, MAP_ZEROS_THERE, -1, 0L);
            return there == -1 ? -CLibrary.errno(state) : 0;
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    static void unmap(long address, long bytes) {
        try {
            int ignored = (int) MUNMAP.invokeExact(address, bytes);
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    static long size(int fd) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment state = state(arena);
            long size = (long) LSEEK.invokeExact(state, fd, 0L, SEEK_END);
            return size == -1 ? -CLibrary.errno(state) : size;
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    static int user() {
        try {
            return (int) GETEUID.invokeExact();
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    /// Negative when there is nothing, for whatever reason.
    static int read(int fd, long to, long bytes) {
        try {
            return (int) (long) READ.invokeExact(fd, to, bytes);
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    /// Negative when there is no room, for whatever reason.
    static int write(int fd, long from, long bytes) {
        try {
            return (int) (long) WRITE.invokeExact(fd, from, bytes);
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    static void close(int fd) {
        try {
            int ignored = (int) CLOSE.invokeExact(fd);
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    private static MemorySegment state(Arena arena) {
        return arena.allocate(CLibrary.stateLayout());
    }
}
