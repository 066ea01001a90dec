package io.verbena.soft.os;

import static io.verbena.soft.os.CLibrary.call;
import static io.verbena.soft.os.CLibrary.callForLong;
import static io.verbena.soft.os.CLibrary.function;
import static io.verbena.soft.os.CLibrary.plainFunction;
import static io.verbena.soft.os.CLibrary.unexpected;
import static io.verbena.soft.os.CLibrary.variadicFunction;
import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/// The system calls on memory that has a file descriptor. A failed call returns its error number, negated, as inside
/// the kernel.
final class MemoryCalls {
    /// Seals can no longer be added.
    static final int F_SEAL_SEAL = 1;

    static final int F_SEAL_SHRINK = 2;
    static final int F_SEAL_GROW = 4;

    private static final int F_ADD_SEALS = 1033;
    private static final int F_GET_SEALS = 1034;
    private static final int MFD_CLOEXEC = 1;
    private static final int MFD_ALLOW_SEALING = 2;
    private static final int MFD_NOEXEC_SEAL = 8;
    private static final int PROT_READ_WRITE = 3;
    private static final int MAP_SHARED = 1;
    private static final int SEEK_END = 2;

    private static final MethodHandle MEMFD_CREATE = function("memfd_create", JAVA_INT, ADDRESS, JAVA_INT);
    private static final MethodHandle FTRUNCATE = function("ftruncate", JAVA_INT, JAVA_INT, JAVA_LONG);
    private static final MethodHandle FALLOCATE =
            plainFunction("posix_fallocate", JAVA_INT, JAVA_INT, JAVA_LONG, JAVA_LONG);
    private static final MethodHandle FCNTL = variadicFunction("fcntl", JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT);
    private static final MethodHandle LSEEK = function("lseek", JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_INT);
    private static final MethodHandle MMAP =
            function("mmap", JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_INT, JAVA_INT, JAVA_INT, JAVA_LONG);
    private static final MethodHandle MUNMAP = plainFunction("munmap", JAVA_INT, JAVA_LONG, JAVA_LONG);

    private MemoryCalls() {}

    /// Creates empty memory that can be sealed and that no child process inherits. Linux 6.3 and later expect the flag
    /// for memory that is never executed: without it some log a warning, some refuse. Earlier kernels do not know the
    /// flag.
    static int create(String name) {
        int fd = create(name, MFD_CLOEXEC | MFD_ALLOW_SEALING | MFD_NOEXEC_SEAL);
        return fd == -Errors.EINVAL ? create(name, MFD_CLOEXEC | MFD_ALLOW_SEALING) : fd;
    }

    private static int create(String name, int flags) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment text = arena.allocateFrom(name);
            return call(state -> (int) MEMFD_CREATE.invokeExact(state, text, flags));
        }
    }

    /// Sets the size without allocating the memory.
    static int resize(int fd, long bytes) {
        return call(state -> (int) FTRUNCATE.invokeExact(state, fd, bytes));
    }

    /// Allocates all the memory now.
    static int reserve(int fd, long bytes) {
        try {
            int error;
            do {
                error = (int) FALLOCATE.invokeExact(fd, 0L, bytes);
            } while (error == Errors.EINTR);
            return -error;
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    static int addSeals(int fd, int seals) {
        return control(fd, F_ADD_SEALS, seals);
    }

    /// `-EINVAL` for files that cannot be sealed.
    static int seals(int fd) {
        return control(fd, F_GET_SEALS, 0);
    }

    private static int control(int fd, int command, int argument) {
        return call(state -> (int) FCNTL.invokeExact(state, fd, command, argument));
    }

    static long size(int fd) {
        return callForLong(state -> (long) LSEEK.invokeExact(state, fd, 0L, SEEK_END));
    }

    /// The address of the mapping, or an error number, negated: no address is negative.
    static long map(int fd, long bytes) {
        return callForLong(state -> (long) MMAP.invokeExact(state, 0L, bytes, PROT_READ_WRITE, MAP_SHARED, fd, 0L));
    }

    static void unmap(long address, long bytes) {
        try {
            int ignored = (int) MUNMAP.invokeExact(address, bytes);
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }
}
