package io.verbena.soft.os;

import static io.verbena.soft.os.CLibrary.ERRNO;
import static io.verbena.soft.os.CLibrary.function;
import static io.verbena.soft.os.CLibrary.link;
import static io.verbena.soft.os.CLibrary.plainFunction;
import static io.verbena.soft.os.CLibrary.result;
import static io.verbena.soft.os.CLibrary.unexpected;
import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/// The system calls on any file descriptor, and those that make a pipe. A failed call returns its error number,
/// negated, as inside the kernel.
///
/// The calls [#write], [#read] and [#poll] come often: they are linked without the error number, because asking for it
/// allocates.
///
/// Loading this class fails with a [LinkageError] where native access is denied or a function is missing.
final class DescriptorCalls {
    static final int O_WRONLY = 1;
    static final int O_RDWR = 2;
    static final int O_NONBLOCK = 0x800;
    static final int O_CLOEXEC = 0x80000;
    /// Names a file without opening it.
    static final int O_PATH = 0x200000;

    private static final MethodHandle OPEN =
            link("open", FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_INT), ERRNO, Linker.Option.firstVariadicArg(2));
    private static final MethodHandle PIPE = function("pipe2", JAVA_INT, ADDRESS, JAVA_INT);
    private static final MethodHandle POLL = plainFunction("poll", JAVA_INT, ADDRESS, JAVA_LONG, JAVA_INT);
    private static final MethodHandle READ = plainFunction("read", JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_LONG);
    private static final MethodHandle WRITE = plainFunction("write", JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_LONG);
    private static final MethodHandle CLOSE = plainFunction("close", JAVA_INT, JAVA_INT);
    private static final MethodHandle GETEUID = plainFunction("geteuid", JAVA_INT);

    private DescriptorCalls() {}

    /// Follows links, and no child process inherits the descriptor.
    static int open(String path, int flags) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment state = state(arena);
            MemorySegment name = arena.allocateFrom(path);
            int all = flags | O_CLOEXEC;
            int fd;
            do {
                fd = result(state, (int) OPEN.invokeExact(state, name, all));
            } while (fd == -Errors.EINTR);
            return fd;
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    /// Makes a pipe on which no call waits and which no child process inherits.
    ///
    /// @param ends takes the descriptor of the end to read from, then that of the end to write to
    static int pipe(int[] ends) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment state = state(arena);
            MemorySegment made = arena.allocate(JAVA_INT, 2);
            int returned = result(state, (int) PIPE.invokeExact(state, made, O_NONBLOCK | O_CLOEXEC));
            ends[0] = made.getAtIndex(JAVA_INT, 0);
            ends[1] = made.getAtIndex(JAVA_INT, 1);
            return returned;
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    /// How many of the descriptors have something to tell, without waiting; negative on any error.
    static int poll(MemorySegment polls, int count) {
        try {
            return (int) POLL.invokeExact(polls, (long) count, 0);
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

    /// The number of the user in whose name this process acts.
    static int user() {
        try {
            return (int) GETEUID.invokeExact();
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    static MemorySegment state(Arena arena) {
        return arena.allocate(CLibrary.stateLayout());
    }
}
